import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';

/** Limits how many tasks run concurrently. */
export interface Slots {
  /** Waits for a slot, and holds it while the work runs, but for `holdMs` at most. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

export function createSlots(count: number, holdMs: number): Slots {
  const limit = pLimit(count);
  return {
    during: <T>(work: () => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        void limit(async () => {
          const done = new AbortController();
          const running = work().then(resolve, reject);
          const held = sleep(holdMs, undefined, { signal: done.signal, ref: false }).catch(() => undefined);
          await Promise.race([running, held]);
          done.abort();
        });
      }),
  };
}
