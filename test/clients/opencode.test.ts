import { describeClient } from './describe-client.ts';
import { opencode } from './drivers/opencode.ts';

describeClient(opencode);
