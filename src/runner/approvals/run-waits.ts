import type { Lease } from '../../platform/store/leases.ts';
import type { RunStore } from '../runs/run-store.ts';

/**
 * Marks a run as waiting while at least one of its questions is open. The question is stored first and its event comes
 * last, so that a client that sees either of them finds the question. After the answer, the run is `waiting` without an
 * open question until it continues; it then needs nothing from anybody.
 */
export interface RunWaits {
  /** Resolves once the run is stored as waiting, with the function that ends the wait. */
  begin(): Promise<() => Promise<void>>;
}

export function createRunWaits(
  store: Pick<RunStore, 'waiting' | 'continued'>,
  lease: Lease,
  signal: AbortSignal,
): RunWaits {
  let open = 0;
  let stored = Promise.resolve();
  return {
    async begin() {
      if (open++ === 0) stored = store.waiting(lease);
      try {
        await stored;
      } catch (error) {
        open -= 1;
        throw error;
      }
      return async () => {
        if (--open === 0 && !signal.aborted) await store.continued(lease);
      };
    },
  };
}
