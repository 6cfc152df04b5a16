import type { EventType } from '../../../../src/contract/event.ts';
import { openEvents } from '../hub.ts';

/** News from the event feed. */
export type FeedNews =
  | { kind: 'event'; type: EventType }
  | { kind: 'open' | 'lost' }
  /** The connection is alive. */
  | { kind: 'beat' }
  /** Another window reads the feed, and this one hears what it hears from now on. */
  | { kind: 'joined' };

export type HearFeed = (news: FeedNews) => void;

/** The hub sends a heartbeat every 15 seconds: a connection that is silent for longer is dead, as after sleep. */
export const SILENCE_MS = 40_000;
const RETRY_MS = 1000;

/** Reads the event feed until the signal aborts. The client resumes a broken stream at its cursor. */
export function openFeed(hear: HearFeed, signal: AbortSignal): void {
  let heardAt = performance.now();
  let stream = new AbortController();
  const watch = {
    onOpen: () => hear({ kind: 'open' }),
    onBytes: () => {
      heardAt = performance.now();
      hear({ kind: 'beat' });
    },
    onLost: () => {
      if (!signal.aborted) hear({ kind: 'lost' });
    },
  };
  const follow = async (): Promise<void> => {
    while (!signal.aborted) {
      stream = new AbortController();
      try {
        for await (const { type } of openEvents(watch, AbortSignal.any([signal, stream.signal])))
          hear({ kind: 'event', type });
      } catch {
        if (!signal.aborted) hear({ kind: 'lost' });
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  };
  const reopenIfSilent = (): void => {
    if (performance.now() - heardAt > SILENCE_MS) stream.abort();
  };
  const timer = setInterval(reopenIfSilent, SILENCE_MS);
  document.addEventListener('visibilitychange', reopenIfSilent, { signal });
  signal.addEventListener('abort', () => clearInterval(timer));
  void follow();
}
