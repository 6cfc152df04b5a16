import type { Implements } from '../../contract/api.ts';
import { silentCall } from '../../contract/tool.ts';
import type { Offers } from '../offers/offers.ts';

export function implementPrompts(offers: Offers): Implements<'prompts'> {
  return {
    listPrompts: async (_input, context) => ({ prompts: await offers.prompts(context) }),
    getPrompt: ({ body: { name, arguments: args = {} } }, context) =>
      offers.getPrompt(name, args, silentCall(context)),
  };
}
