import { textsIn } from '../../app/address.ts';

/** What a new chat begins with: an agent, a document, the unsaved draft of the agent. */
export interface NewChatSearch {
  agent?: string | undefined;
  document?: string | undefined;
  draft?: true | undefined;
}

export const readNewChatSearch = (search: Record<string, unknown>): NewChatSearch => ({
  ...textsIn(search, ['agent', 'document']),
  ...(search['draft'] === true ? { draft: true } : {}),
});
