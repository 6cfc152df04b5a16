import { ZooError } from '../../contract/errors.ts';
import type { SyncEvent } from '../../contract/knowledge.ts';
import { startWorkerThread, type WorkerThread } from '../../platform/processes/worker-thread.ts';
import type { RunScript } from '../connector.ts';
import { answerScripts } from './answer-scripts.ts';
import type { FromSyncThread, IndexedSource, SyncThreadData, ToSyncThread } from './sync-messages.ts';
import { threadLost } from './thread-lost.ts';

/** Work that the thread does for one caller. */
export interface ThreadRun {
  signal: AbortSignal;
  emit(event: SyncEvent): void;
  /** @param source its position in the request */
  indexed(source: number, result: IndexedSource): void;
  /** Called once, after everything else. */
  end(error: ZooError | null): void;
}

export interface SyncThread {
  /** Starts a run. Returns a function that stops it, if it still runs, and stops listening to its signal. */
  start(run: ThreadRun, message: (run: number) => ToSyncThread): () => void;
  close(): Promise<void>;
}

/**
 * Enough for the largest document that is read. From 2 GB on, V8 lets a heap grow to four times its live size before
 * it collects; below, to less than twice.
 */
const HEAP_MB = 1_536;

/** The worker thread that syncs, started with the first run. Runs fail with the thread; the next one starts another. */
export function createSyncThread(data: SyncThreadData, runScript: RunScript | null): SyncThread {
  const runs = new Map<number, ThreadRun>();
  let worker: WorkerThread<ToSyncThread> | null = null;
  let lastRun = 0;
  const post = (message: ToSyncThread) => worker?.post(message);
  const scripts = answerScripts(runScript, post, (run) => runs.get(run)?.signal ?? null);

  function thread(): WorkerThread<ToSyncThread> {
    worker ??= startWorkerThread<ToSyncThread, FromSyncThread>(
      'sync-worker',
      { workerData: data, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } },
      {
        onMessage: receive,
        onLost(error) {
          worker = null;
          scripts.stop();
          const ended = [...runs.values()];
          runs.clear();
          for (const run of ended) run.end(threadLost('syncs', error?.message ?? null));
        },
      },
    );
    return worker;
  }

  function receive(message: FromSyncThread): void {
    if (scripts.receive(message) || !('run' in message)) return;
    const run = runs.get(message.run);
    if (!run) return;
    if (message.type === 'event') run.emit(message.event);
    else if (message.type === 'indexed') run.indexed(message.source, message.result);
    else if (message.type === 'end') {
      runs.delete(message.run);
      if (runs.size === 0) worker?.setBusy(false);
      run.end(message.error === null ? null : new ZooError('internal', message.error));
    }
  }

  return {
    start(run, message) {
      const number = ++lastRun;
      runs.set(number, run);
      const own = thread();
      own.setBusy(true);
      own.post(message(number));
      const stop = () => runs.has(number) && post({ type: 'stop', run: number });
      if (run.signal.aborted) stop();
      run.signal.addEventListener('abort', stop, { once: true });
      return () => {
        run.signal.removeEventListener('abort', stop);
        stop();
      };
    },

    close: async () => worker?.finish({ type: 'close' }),
  };
}
