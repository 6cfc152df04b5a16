import { setMaxListeners } from 'node:events';
import type { SyncEvent } from '../../contract/knowledge.ts';
import { linkSignals } from '../../platform/processes/link-signals.ts';
import { createSyncQueue } from '../../knowledge/sync/sync-queue.ts';

export type Told = { background?: boolean | undefined };

/** Work that runs until it finishes or its signal aborts, even if nobody reads its events. */
export interface RunningWork {
  run(
    open: (signal: AbortSignal) => AsyncGenerator<SyncEvent>,
    told: Told,
    signal: AbortSignal,
  ): AsyncGenerator<SyncEvent>;
  /** Aborts when everything is closed. */
  closing: AbortSignal;
  /** Something has happened just now. */
  touch(): void;
  /** How many run, and when something happened last (as of `performance.now`). */
  use(): { open: number; lastAt: number };
  /** Cancels running work and waits for it to stop. */
  close(): Promise<void>;
}

export function createRunningWork(): RunningWork {
  const running = new Set<Promise<void>>();
  const closing = new AbortController();
  // One listener per running sync is expected; raise the limit to avoid Node's leak warning.
  setMaxListeners(0, closing.signal);
  let lastAt = performance.now();

  const count = async (work: Promise<void>): Promise<void> => {
    running.add(work);
    try {
      await work;
    } finally {
      running.delete(work);
      lastAt = performance.now();
    }
  };

  async function* run(
    open: (signal: AbortSignal) => AsyncGenerator<SyncEvent>,
    { background = false }: Told,
    signal: AbortSignal,
  ): AsyncGenerator<SyncEvent> {
    const stop = linkSignals(closing.signal, ...(background ? [] : [signal]));
    const events = createSyncQueue();
    const work = count(
      (async () => {
        for await (const event of open(stop.signal)) events.push(event);
      })()
        .finally(stop.unlink)
        .then(events.end, events.fail),
    );
    signal.addEventListener('abort', events.end, { once: true });
    try {
      yield* events.read();
    } finally {
      signal.removeEventListener('abort', events.end);
      // Wait for the end, so that the next sync starts from a settled state.
      if (!background) await work;
    }
  }

  return {
    run,
    closing: closing.signal,
    touch: () => void (lastAt = performance.now()),
    use: () => ({ open: running.size, lastAt }),
    async close() {
      closing.abort();
      await Promise.allSettled(running);
    },
  };
}
