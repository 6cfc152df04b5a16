import type { ResolvedAgent } from '../../contract/resolved.ts';
import type { ModelMessage, RunHistory } from '../../contract/run.ts';
import { type ChatHistory, historyOf } from '../chats/chat-history.ts';
import type { RunStore, StoredRun } from './run-store.ts';

type Reader = Pick<RunStore, 'read'>;

export const NO_TURNS: ChatHistory = { messages: [], isShortened: false };

/** The branch of the chat that ends with this run. */
export async function earlierTurns(store: Reader, last: string): Promise<ChatHistory> {
  const runs: StoredRun[] = [];
  for (let id: string | null = last; id !== null;) {
    const run: StoredRun = await store.read(id);
    runs.unshift(run);
    id = run.request.chat?.previous ?? null;
  }
  return historyOf(runs);
}

/** Everything that precedes the input of a run. */
export const messagesBefore = (
  resolved: ResolvedAgent,
  { messages, isShortened }: ChatHistory,
): ModelMessage[] => [...(isShortened ? [] : opening(resolved)), ...messages];

/** What a run sent besides its input and its own steps. */
export async function readHistory(store: Reader, id: string): Promise<RunHistory> {
  const { request, resolved, shortened } = await store.read(id);
  const { previous = null } = request.chat ?? {};
  const before = previous === null ? NO_TURNS : await earlierTurns(store, previous);
  return {
    messages: resolved === null ? before.messages : messagesBefore(resolved, before),
    shortened: shortened && { step: shortened.step, messages: [...shortened.messages] },
  };
}

/** Opening messages of the agent; MCP has no system role, and neither has a conversation with a model. */
function opening({ messages }: ResolvedAgent): ModelMessage[] {
  return messages.map(({ role, content }) =>
    role === 'assistant'
      ? { role, parts: [{ type: 'text', text: content }] }
      : { role: 'user', parts: [{ type: 'text', text: content }] },
  );
}
