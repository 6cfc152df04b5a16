import type { Chat, ChatEvent } from '../../../../src/contract/chat.ts';
import { ZooError } from '../../../../src/contract/errors.ts';
import { call, follow } from '../../data/hub.ts';
import { perFrame } from '../../runs/per-frame.ts';
import { addChatEvent, adoptChat, type ChatState } from './chat-state.ts';

export interface ChatFeed {
  /** Null until the chat was read. */
  read(): ChatState | null;
  error(): Error | null;
  subscribe(listener: () => void): () => void;
  /** Takes over what the hub answered to a change. */
  adopt(chat: Chat): void;
  /** Reads the chat again, as after a restart of the hub. */
  refresh(): Promise<void>;
  /** Follows the chat until the returned function is called. */
  open(): () => void;
}

const RETRY_MS = 1000;

/** Whether the hub answered that there is no such chat, as after it was deleted. */
export const isChatMissing = (error: Error | null): boolean =>
  error instanceof ZooError && error.code === 'chat_not_found';

/** Follows one chat. Events are applied once per frame, however many of them come. */
export function createChatFeed(id: string): ChatFeed {
  const listeners = new Set<() => void>();
  let state: ChatState | null = null;
  let error: Error | null = null;

  const tell = (): void => listeners.forEach((listener) => listener());
  const take = perFrame<ChatEvent>((events) => {
    if (!state) return;
    state = events.reduce(addChatEvent, state);
    tell();
    // The hub names a chat by its first message.
    if (state.chat.title === '' && events.some(({ event }) => event.type === 'turn-started')) void refresh();
  });
  const refresh = async (): Promise<void> => {
    try {
      const chat = await call('getChat', { id });
      state = adoptChat(state, chat);
      error = null;
    } catch (failure) {
      error = failure instanceof Error ? failure : new Error(String(failure));
    }
    tell();
  };
  const run = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await refresh();
      if (isChatMissing(error)) return;
      const chat = state?.chat;
      if (chat) {
        const turn = chat.history.at(-1)?.turn;
        try {
          for await (const event of follow('followChat', turn === undefined ? { id } : { id, turn }, signal))
            take(event);
        } catch {
          // The chat is read again below, which says what is wrong.
        }
      }
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  };
  return {
    read: () => state,
    error: () => error,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    adopt(chat) {
      state = { chat, runs: state?.runs ?? {} };
      tell();
    },
    refresh,
    open() {
      const ending = new AbortController();
      void run(ending.signal);
      return () => ending.abort();
    },
  };
}
