import type { Lease } from '../../platform/store/leases.ts';
import type { RunStore } from '../runs/run-store.ts';

/** Marks a run as waiting while at least one of its questions is open. */
export interface RunWaits {
  /** Returns how to end the wait. */
  begin(): Promise<() => Promise<void>>;
}

export function createRunWaits(
  store: Pick<RunStore, 'waiting' | 'continued'>,
  lease: Lease,
  signal: AbortSignal,
): RunWaits {
  let open = 0;
  return {
    async begin() {
      if (open++ === 0) await store.waiting(lease);
      return async () => {
        if (--open === 0 && !signal.aborted) await store.continued(lease);
      };
    },
  };
}
