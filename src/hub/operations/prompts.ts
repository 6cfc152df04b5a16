import type { Implementation } from '../../contract/api.ts';
import type { promptOperations } from '../../contract/operations/prompts.ts';
import { silentCall } from '../../contract/tool.ts';
import type { Offers } from '../offers/offers.ts';

type PromptOperations = Pick<Implementation, keyof typeof promptOperations>;

export function implementPrompts(offers: Offers): PromptOperations {
  return {
    listPrompts: async (_input, context) => ({ prompts: await offers.prompts(context) }),
    getPrompt: ({ body: { name, arguments: args = {} } }, context) =>
      offers.getPrompt(name, args, silentCall(context)),
  };
}
