import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatEvent } from '../../contract/chat.ts';
import { linkSignals } from '../../platform/processes/link-signals.ts';
import type { Database } from '../../platform/store/database.ts';
import type { NumberedEvent } from '../runs/run-event-log.ts';
import type { ChatStore } from './chat-store.ts';

/** The events of turn n are numbered from n times this value. */
const PER_TURN = 1_000_000_000;
const POLL_MS = 50;

/** The number of the first event of a turn. */
export const firstOfTurn = (turn: number): number => turn * PER_TURN;

/** Wakes followers in this process when a turn begins. */
export interface ChatNews {
  tell(chatId: string): void;
  /** Resolves with news of this chat, with a commit of another process, or with the signal. */
  wait(chatId: string, version: number, signal: AbortSignal): Promise<void>;
}

export function createChatNews(db: Database): ChatNews {
  const waiting = new Map<string, Set<() => void>>();
  return {
    tell: (chatId) => waiting.get(chatId)?.forEach((wake) => wake()),
    async wait(chatId, version, signal) {
      const woken = new AbortController();
      const wakes = waiting.get(chatId) ?? new Set();
      const wake = (): void => woken.abort();
      waiting.set(chatId, wakes.add(wake));
      const { signal: either, unlink } = linkSignals(signal, woken.signal);
      while (!either.aborted && db.version() === version) {
        await sleep(POLL_MS, undefined, { signal: either }).catch(() => undefined);
      }
      unlink();
      wakes.delete(wake);
      if (wakes.size === 0) waiting.delete(chatId);
    },
  };
}

export interface FollowChatParts {
  db: Database;
  store: ChatStore;
  news: ChatNews;
  followRun(runId: string, after: number, signal: AbortSignal): AsyncIterable<NumberedEvent>;
}

/**
 * All events of a chat after a number, turn by turn, then new ones as they happen, until it is erased. All followers see
 * the same events.
 */
export async function* followChat(
  { db, store, news, followRun }: FollowChatParts,
  chatId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  let last = after;
  while (!signal.aborted) {
    const version = db.version();
    // The newest turn is read again: an interrupted run may have been resumed.
    const turns = await store.turnsFrom(chatId, Math.floor(last / PER_TURN));
    if (turns.length === 0 && !(await store.exists(chatId))) return;
    for (const { runId, turn, previous, input } of turns) {
      const first = firstOfTurn(turn);
      if (last < first) {
        last = first;
        yield { seq: first, runId, event: { type: 'turn-started', turn, previous, input } };
      }
      for await (const { seq, event } of followRun(runId, last - first, signal)) {
        last = first + seq;
        yield { seq: last, runId, event };
      }
    }
    await news.wait(chatId, version, signal);
  }
}
