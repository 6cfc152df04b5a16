import { describeClient } from './describe-client.ts';
import { codex } from './drivers/codex.ts';

describeClient(codex);
