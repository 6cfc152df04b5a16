import { describeClient } from './describe-client.ts';
import { gemini } from './drivers/gemini.ts';

describeClient(gemini);
