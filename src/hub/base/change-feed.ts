import type { ZooEvent } from '../../contract/event.ts';
import type { Database } from '../../platform/store/database.ts';
import { eventBounds, eventsAfter } from '../../platform/store/events.ts';

const POLL_MS = 200;
const BATCH = 500;

/** Every change in commit order, from all processes. */
export interface ChangeFeed {
  /** Ends when the signal aborts or the feed closes. Without `after`, it starts with the next event. */
  follow(options: { after?: number | undefined; signal: AbortSignal }): AsyncGenerator<ZooEvent>;
  /** Wakes followers after a write of this process. */
  nudge(): void;
  close(): void;
}

/**
 * The feed reads the event table and keeps nothing in memory, so a slow follower costs nothing and misses nothing.
 */
export function createChangeFeed(db: Database): ChangeFeed {
  const wakers = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let seenVersion = -1;
  let closed = false;

  const wake = () => {
    for (const waker of wakers) waker();
    wakers.clear();
  };
  const poll = () => {
    const version = db.version();
    if (version === seenVersion) return;
    seenVersion = version;
    wake();
  };

  /** Resolves when there may be something new. */
  function changed(signal: AbortSignal): Promise<void> {
    timer ??= setInterval(poll, POLL_MS).unref();
    return new Promise((resolve) => {
      const done = () => {
        signal.removeEventListener('abort', done);
        wakers.delete(done);
        if (wakers.size === 0) {
          clearInterval(timer);
          timer = undefined;
        }
        resolve();
      };
      if (signal.aborted || closed) return resolve();
      signal.addEventListener('abort', done, { once: true });
      wakers.add(done);
    });
  }

  return {
    async *follow({ after, signal }) {
      const { first, last } = await eventBounds(db);
      let cursor = after ?? last;
      if (cursor > last || cursor < first - 1) {
        const at = new Date().toISOString();
        yield { seq: last, type: 'events-lost', at, workspace: null, agentId: null, data: { first, last } };
        cursor = last;
      }
      while (!signal.aborted && !closed) {
        // Subscribed before reading, so that a commit in between wakes us.
        const next = changed(signal);
        const events = await eventsAfter(db, cursor, BATCH);
        for (const event of events) {
          if (signal.aborted) return;
          cursor = event.seq;
          yield event;
        }
        if (events.length === 0) await next;
      }
    },
    nudge: wake,
    close() {
      closed = true;
      wake();
    },
  };
}
