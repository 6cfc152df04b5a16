import { describeClient } from './describe-client.ts';
import { claudeCode } from './drivers/claude-code.ts';

describeClient(claudeCode);
