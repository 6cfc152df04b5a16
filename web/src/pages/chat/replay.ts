import { useEffect, useRef } from 'react';
import type { Chat } from '../../../../src/contract/chat.ts';
import { call } from '../../data/hub.ts';
import { branchTurns, type ChatState, isActive, lastTurn } from './chat-state.ts';
import { local } from '../../data/browser-storage.ts';

/** Messages that a replay has yet to send, by chat. They survive a reload. */
const keyOf = (id: string): string => `agent-zoo-replay:${id}`;

type Message = Chat['history'][number]['input'];

/** Starts a new chat that asks the same again, of another revision or model. */
export async function startReplay(chat: Chat, revision: number): Promise<string> {
  const { agentId, title, arguments: args, headless, models } = chat;
  const made = await call('createChat', {
    body: {
      agent: agentId,
      title: `${title} (revision ${revision})`.slice(0, 200),
      arguments: args,
      headless,
      revision,
      ...(models === null ? {} : { model: models }),
    },
  });
  const messages = branchTurns(chat).map(({ input }) => input);
  local.setWork(keyOf(made.id), JSON.stringify(messages));
  return made.id;
}

export function leftToReplay(id: string): number {
  return readLeft(id).length;
}

function readLeft(id: string): Message[] {
  const stored = local.getItem(keyOf(id));
  const value: unknown = stored === null ? [] : JSON.parse(stored);
  return isMessages(value) ? value : [];
}

const isMessages = (value: unknown): value is Message[] =>
  Array.isArray(value) && value.every((each) => Array.isArray(each));

/** Sends the next message of a replay once the last answer is there. A failed turn ends it. */
export function useReplay(state: ChatState | null): void {
  const lastState = state ? lastTurn(state).now : null;
  const id = state?.chat.id;
  const lastRun = state?.chat.history.at(-1)?.runId ?? null;
  const followed = useRef<string | null>('none');
  useEffect(() => {
    // Each turn is followed by one message, however often its state is told.
    if (id === undefined || isActive(lastState) || followed.current === lastRun) return;
    followed.current = lastRun;
    const [message, ...left] = readLeft(id);
    if (message === undefined) return;
    if (lastState !== null && lastState !== 'completed') {
      local.removeItem(keyOf(id));
      return;
    }
    if (left.length === 0) local.removeItem(keyOf(id));
    else local.setWork(keyOf(id), JSON.stringify(left));
    void call('sendMessage', { id, body: { message } });
  }, [id, lastState, lastRun]);
}
