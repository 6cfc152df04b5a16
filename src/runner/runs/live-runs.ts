import type { RunEvent } from '../../contract/run.ts';

/** Events of ended runs are kept this long for those who come back; after that the stored run answers. */
const KEPT_MS = 5 * 60_000;

const STOPPING = new Error('the hub is stopping');

export interface NumberedEvent {
  seq: number;
  event: RunEvent;
}

interface LiveRun {
  events: NumberedEvent[];
  wake: Set<() => void>;
  ended: boolean;
  controller: AbortController;
}

export interface OpenRun {
  emit(event: RunEvent): void;
  signal: AbortSignal;
  /** Whether the run is ended because the hub is, and not for its own sake. */
  isStopping(): boolean;
  close(): void;
}

/** The events of runs that are under way in this process, in memory: they arrive faster than they could be stored. */
export interface LiveRuns {
  open(id: string): OpenRun;
  /** Null for a run that is not, or no longer, in memory. */
  follow(id: string, after: number, signal: AbortSignal): AsyncIterable<NumberedEvent> | null;
  /** Whether there was something to cancel. */
  cancel(id: string): boolean;
  count(): number;
  stopAll(): void;
}

export function createLiveRuns(): LiveRuns {
  const runs = new Map<string, LiveRun>();
  const wake = (run: LiveRun) => {
    for (const each of run.wake) each();
  };

  return {
    open(id) {
      const run: LiveRun = { events: [], wake: new Set(), ended: false, controller: new AbortController() };
      runs.set(id, run);
      return {
        signal: run.controller.signal,
        isStopping: () => run.controller.signal.reason === STOPPING,
        emit(event) {
          run.events.push({ seq: run.events.length + 1, event });
          wake(run);
        },
        close() {
          run.ended = true;
          wake(run);
          setTimeout(() => runs.get(id) === run && runs.delete(id), KEPT_MS).unref();
        },
      };
    },
    follow(id, after, signal) {
      const run = runs.get(id);
      return run ? eventsOf(run, after, signal) : null;
    },
    cancel(id) {
      const run = runs.get(id);
      if (!run || run.ended) return false;
      run.controller.abort(new Error('cancelled'));
      return true;
    },
    count: () => [...runs.values()].filter(({ ended }) => !ended).length,
    stopAll() {
      for (const run of runs.values()) run.controller.abort(STOPPING);
    },
  };
}

async function* eventsOf(run: LiveRun, after: number, signal: AbortSignal): AsyncGenerator<NumberedEvent> {
  let next = Math.max(0, after);
  for (;;) {
    for (const event of run.events.slice(next)) {
      next++;
      yield event;
    }
    if (next < run.events.length) continue;
    if (run.ended || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        run.wake.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      run.wake.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }
}
