import { silentCall } from '../../contract/tool.ts';
import type { Wing } from '../wing.ts';
import type { Offers } from './offers.ts';

/** MCP's prompts over plain HTTP. */
export function createPromptsWing(offers: Offers): Wing<'prompts'> {
  return {
    operations: {
      listPrompts: async (_input, context) => ({ prompts: await offers.prompts(context) }),
      getPrompt: ({ body: { name, arguments: args = {} } }, context) =>
        offers.getPrompt(name, args, silentCall(context)),
    },
  };
}
