import { Worker } from 'node:worker_threads';
import { ZooError } from '../../contract/errors.ts';
import type { SyncCounts, SyncEvent, SyncOptions } from '../../contract/knowledge.ts';
import { workerFile } from '../../platform/processes/worker-file.ts';
import type { ChunkSettings } from '../chunking/pack-section.ts';
import type { ConfiguredSource, RunScript } from '../connector.ts';
import type { SourceKey } from '../index/index-reader.ts';
import { chooseSources } from './choose-sources.ts';
import { answerScripts } from './answer-scripts.ts';
import { threadLost } from './thread-lost.ts';
import type { FromSyncThread, IndexedSource, SyncRequest, ToSyncThread } from './sync-messages.ts';
import { noCounts } from './no-counts.ts';
import { messageOf } from '../../platform/text/error-message.ts';

export interface SyncerOptions {
  /** The file of the index. */
  index: string;
  /** A folder for what sources fetch. */
  cache: string;
  runScript?: RunScript;
  /** Makes the vectors that are missing after a source was indexed, and says how many; rejects with a reason. */
  embed?: (
    source: ConfiguredSource,
    emit: (event: SyncEvent) => void,
    signal: AbortSignal,
  ) => Promise<{ embedded: number }>;
}

/** Syncs in a thread of its own, which is started with the first. */
export interface Syncer {
  /** Throws for an unknown `what`; anything else that goes wrong is told by the events. */
  sync(
    options: SyncOptions,
    sources: readonly ConfiguredSource[],
    settings: ChunkSettings,
    signal: AbortSignal,
  ): AsyncGenerator<SyncEvent>;
  /** Syncs each source that can be watched at once, and again within a second of each change, until aborted. */
  watch(
    sources: readonly ConfiguredSource[],
    settings: ChunkSettings,
    signal: AbortSignal,
    onEvent: (event: SyncEvent) => void,
  ): Promise<void>;
  /** Drops sources and all their documents. */
  remove(sources: readonly SourceKey[], signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

interface Run {
  request: Pick<SyncRequest, 'sources' | 'dryRun'>;
  signal: AbortSignal;
  emit(event: SyncEvent): void;
  /** What still has to be said of sources that are indexed. */
  embedding: Promise<void>[];
  done(result: IndexedSource): void;
  end(error: ZooError | null): void;
}

/**
 * Enough for the largest document that is read. Where 2 GB and more are allowed, V8 lets a heap grow to four times
 * what is in use before it looks for what is not; below it, to less than twice.
 */
const HEAP_MB = 1_536;

export function createSyncer({ index, cache, runScript, embed }: SyncerOptions): Syncer {
  const runs = new Map<number, Run>();
  let worker: Worker | null = null;
  let lastRun = 0;
  let closing = false;
  const post = (message: ToSyncThread) => worker?.postMessage(message);
  const scripts = answerScripts(runScript ?? null, post, (run) => runs.get(run)?.signal ?? null);

  function thread(): Worker {
    if (worker) return worker;
    const own = new Worker(workerFile('sync-worker'), {
      workerData: { index, cache },
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    const lost = (reason: string | null) => {
      // One that failed ends as well, and by then another may run.
      if (worker !== own) return;
      worker = null;
      scripts.stop();
      for (const run of runs.values()) run.end(threadLost('syncs', reason));
      runs.clear();
    };
    own.on('message', receive);
    own.on('error', (error: Error) => lost(error.message));
    own.on('exit', () => lost(null));
    worker = own;
    return own;
  }

  function receive(message: FromSyncThread): void {
    if (scripts.receive(message) || !('run' in message)) return;
    const run = runs.get(message.run);
    if (!run) return;
    if (message.type === 'event') run.emit(message.event);
    else if (message.type === 'indexed') run.embedding.push(embedSource(run, message.source, message.result));
    else if (message.type === 'end') {
      runs.delete(message.run);
      // While it closes, somebody waits for its end.
      if (runs.size === 0 && !closing) worker?.unref();
      const error = message.error === null ? null : new ZooError('internal', message.error);
      void Promise.all(run.embedding).then(() => run.end(error));
    }
  }

  async function embedSource(run: Run, at: number, result: IndexedSource): Promise<void> {
    const source = run.request.sources[at];
    if (!source) return;
    const startedAt = performance.now();
    const counts: SyncCounts = { ...result.counts };
    let { ok, error } = result;
    if (embed && !run.request.dryRun && !run.signal.aborted) {
      try {
        counts.embedded = (await embed(source, run.emit, run.signal)).embedded;
      } catch (failure) {
        // What is indexed is found by its words all the same.
        error ??= `no vectors were made: ${messageOf(failure)}`;
        ok = false;
      }
    }
    const tookMs = result.tookMs + performance.now() - startedAt;
    run.done({ ok, error, counts, tookMs });
    run.emit({ type: 'done', source: `${source.type}:${source.name}`, ok, error, counts, tookMs });
  }

  /** Gives what ends it early, and lets go of the signal. */
  function start(run: Run, message: (run: number) => ToSyncThread): () => void {
    const number = ++lastRun;
    runs.set(number, run);
    const own = thread();
    own.ref();
    own.postMessage(message(number));
    const stop = () => runs.has(number) && post({ type: 'stop', run: number });
    if (run.signal.aborted) stop();
    run.signal.addEventListener('abort', stop, { once: true });
    return () => {
      run.signal.removeEventListener('abort', stop);
      stop();
    };
  }

  /** One that has nothing to say but what its events say. */
  function quietly(
    request: Run['request'],
    signal: AbortSignal,
    emit: Run['emit'],
    message: (run: number) => ToSyncThread,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const release = start(
        {
          request,
          signal,
          embedding: [],
          emit,
          done: () => undefined,
          end(error) {
            release();
            if (error === null || signal.aborted) resolve();
            else reject(error);
          },
        },
        message,
      );
    });
  }

  return {
    async *sync({ what, full = false, dry_run: dryRun = false, changes = dryRun }, all, settings, signal) {
      const sources = chooseSources(what, all);
      const startedAt = performance.now();
      const events: SyncEvent[] = [
        { type: 'start', sources: sources.map(({ type, name }) => `${type}:${name}`), dryRun },
      ];
      let wake: () => void = () => undefined;
      let ended: { error: ZooError | null } | null = null;
      const totals = createTotals();
      const request = { sources, settings, full, dryRun, changes };
      const stop = start(
        {
          request,
          signal,
          embedding: [],
          emit(event) {
            events.push(event);
            wake();
          },
          done: totals.add,
          end(error) {
            ended = { error };
            wake();
          },
        },
        (run) => ({ type: 'sync', run, request }),
      );
      try {
        for (;;) {
          const batch = events.splice(0);
          yield* batch;
          if (events.length > 0) continue;
          const over: { error: ZooError | null } | null = ended;
          if (over !== null) {
            yield* totals.end(over, performance.now() - startedAt, signal);
            return;
          }
          await new Promise<void>((resolve) => {
            wake = resolve;
            if (events.length > 0 || ended) resolve();
          });
        }
      } finally {
        stop();
      }
    },

    watch(sources, settings, signal, onEvent) {
      const request = { sources, settings, full: false, dryRun: false, changes: true };
      return quietly(request, signal, onEvent, (run) => ({ type: 'watch', run, request }));
    },

    remove: (sources, signal) =>
      quietly(
        { sources: [], dryRun: false },
        signal,
        () => undefined,
        (run) => ({
          type: 'remove',
          run,
          sources,
        }),
      ),

    async close() {
      const own = worker;
      closing = true;
      if (!own) return;
      await new Promise<void>((resolve) => {
        own.ref();
        own.once('exit', () => resolve());
        post({ type: 'close' });
      });
    },
  };
}

/** The sums of all sources, and how it all ended. */
function createTotals() {
  const sums: SyncCounts = { ...noCounts };
  let allWell = true;
  return {
    add({ ok, counts }: IndexedSource): void {
      allWell &&= ok;
      for (const [key, value] of Object.entries(counts)) {
        if (isCount(key)) sums[key] += value;
      }
    },
    *end({ error }: { error: ZooError | null }, tookMs: number, signal: AbortSignal): Generator<SyncEvent> {
      if (error !== null && !signal.aborted) throw error;
      yield { type: 'end', ok: allWell && error === null && !signal.aborted, counts: sums, tookMs };
    },
  };

  function isCount(key: string): key is keyof SyncCounts {
    return key in sums;
  }
}
