import type { ZooError } from '../../contract/errors.ts';

const STOPPING = new Error('the hub is stopping');
const LOST = new Error('another process has taken over the run');

/** Whether a signal with this reason ends work here that another process goes on with. */
export const isHandover = (reason: unknown): boolean => reason === STOPPING || reason === LOST;

export interface LiveRun {
  signal: AbortSignal;
  /** Whether the run ends here without being over: another process goes on with it. */
  isHandedOver(): boolean;
  close(): void;
}

/** The active runs of this process, and how to stop them. */
export interface LiveRuns {
  /** Ends with `from`, the call that a nested run belongs to. */
  open(id: string, from?: AbortSignal): LiveRun;
  /** Whether there was something to cancel. `why` becomes the run's error. */
  cancel(id: string, why?: ZooError): boolean;
  /** The lease is lost: any further work in this process would be done twice. */
  lose(id: string): void;
  ids(): string[];
  /** Stops all runs, and those that are opened later. */
  stopAll(): void;
}

export function createLiveRuns(): LiveRuns {
  const runs = new Map<string, AbortController>();
  let isStopping = false;
  const abort = (id: string, reason: Error): boolean => {
    const controller = runs.get(id);
    controller?.abort(reason);
    return controller !== undefined;
  };

  return {
    open(id, from) {
      const controller = new AbortController();
      runs.set(id, controller);
      const { signal } = controller;
      const follow = (): void => controller.abort(from?.reason);
      from?.addEventListener('abort', follow, { once: true });
      if (from?.aborted) follow();
      if (isStopping) controller.abort(STOPPING);
      return {
        signal,
        isHandedOver: () => isHandover(signal.reason),
        close() {
          from?.removeEventListener('abort', follow);
          if (runs.get(id) === controller) runs.delete(id);
        },
      };
    },
    cancel: (id, why) => abort(id, why ?? new Error('cancelled')),
    lose: (id) => void abort(id, LOST),
    ids: () => [...runs.keys()],
    stopAll() {
      isStopping = true;
      for (const id of runs.keys()) abort(id, STOPPING);
    },
  };
}
