import type { ZooError } from '../../contract/errors.ts';
import type { SyncEvent, SyncOptions } from '../../contract/knowledge.ts';
import type { ChunkSettings } from '../chunking/pack-section.ts';
import type { ConfiguredSource, RunScript } from '../connector.ts';
import type { SourceKey } from '../index/index-reader.ts';
import { reasonOf } from '../source-error.ts';
import { sourceId } from '../source-reference.ts';
import { addCounts, noCounts } from './sync-counts.ts';
import type { IndexedSource, SyncThreadData, ToSyncThread } from './sync-messages.ts';
import { createSyncQueue } from './sync-queue.ts';
import { createSyncThread, type ThreadRun } from './sync-thread.ts';

export interface SyncerOptions extends SyncThreadData {
  runScript?: RunScript;
  /** Computes the missing vectors of a source that was indexed, and counts them; rejects with a reason. */
  embed?: (
    source: ConfiguredSource,
    emit: (event: SyncEvent) => void,
    signal: AbortSignal,
  ) => Promise<{ embedded: number }>;
}

/** Syncs in a worker thread, which starts with the first sync. */
export interface Syncer {
  /** Failures of sources are events; it throws only if the thread or the index fails. */
  sync(
    options: Omit<SyncOptions, 'what'>,
    sources: readonly ConfiguredSource[],
    settings: ChunkSettings,
    signal: AbortSignal,
  ): AsyncGenerator<SyncEvent>;
  /** Syncs the sources that can be watched at once, and again within a second of each change, until aborted. */
  watch(
    sources: readonly ConfiguredSource[],
    settings: ChunkSettings,
    signal: AbortSignal,
    onEvent: (event: SyncEvent) => void,
  ): Promise<void>;
  /** Removes sources and all their documents. */
  remove(sources: readonly SourceKey[], signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export function createSyncer({ index, cache, runScript, embed }: SyncerOptions): Syncer {
  const thread = createSyncThread({ index, cache }, runScript ?? null);

  function start(
    signal: AbortSignal,
    run: (end: ThreadRun['end']) => ThreadRun,
    message: (run: number) => ToSyncThread,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const release = thread.start(
        run((error) => {
          release();
          if (error === null || signal.aborted) resolve();
          else reject(error);
        }),
        message,
      );
    });
  }

  return {
    async *sync({ full = false, dry_run: dryRun = false, changes = dryRun }, sources, settings, signal) {
      const startedAt = performance.now();
      const counts = noCounts();
      let ok = true;
      const events = createSyncQueue();
      const done = (result: IndexedSource) => {
        ok &&= result.ok;
        addCounts(counts, result.counts);
      };
      const end = (error: ZooError | null) => {
        if (error !== null && !signal.aborted) return events.fail(error);
        const tookMs = performance.now() - startedAt;
        events.push({ type: 'end', ok: ok && error === null && !signal.aborted, counts, tookMs });
        return events.end();
      };
      events.push({ type: 'start', sources: sources.map(sourceId), dryRun });
      const request = { sources, settings, full, dryRun, changes };
      const run = embedIndexed(embed, sources, { signal, emit: events.push, end }, { dryRun, done });
      const stop = thread.start(run, (number) => ({ type: 'sync', run: number, request }));
      try {
        yield* events.read();
      } finally {
        stop();
      }
    },

    watch(sources, settings, signal, emit) {
      const request = { sources, settings, full: false, dryRun: false, changes: true };
      const run = (end: ThreadRun['end']) => embedIndexed(embed, sources, { signal, emit, end });
      return start(signal, run, (number) => ({ type: 'watch', run: number, request }));
    },

    remove(sources, signal) {
      const nothing = () => undefined;
      return start(
        signal,
        (end) => ({ signal, emit: nothing, indexed: nothing, end }),
        (number) => ({ type: 'remove', run: number, sources }),
      );
    },

    close: thread.close,
  };
}

/** Embeds each source that the thread has indexed, and reports it as `done`; ends after the last of them. */
function embedIndexed(
  embed: SyncerOptions['embed'],
  sources: readonly ConfiguredSource[],
  { signal, emit, end }: Pick<ThreadRun, 'signal' | 'emit' | 'end'>,
  { dryRun = false, done }: { dryRun?: boolean; done?: (result: IndexedSource) => void } = {},
): ThreadRun {
  const pending: Promise<void>[] = [];
  const indexed = async (at: number, result: IndexedSource): Promise<void> => {
    const source = sources[at];
    if (!source) return;
    const startedAt = performance.now();
    const own = { ...result, counts: { ...result.counts } };
    if (embed && !dryRun && !signal.aborted) {
      try {
        own.counts.embedded = (await embed(source, emit, signal)).embedded;
      } catch (failure) {
        // Keyword search works without vectors.
        own.error ??= `embedding failed: ${reasonOf(failure)}`;
        own.ok = false;
      }
    }
    own.tookMs += performance.now() - startedAt;
    done?.(own);
    emit({ type: 'done', source: sourceId(source), ...own });
  };
  const finish = async (failure: ZooError | null): Promise<void> => {
    await Promise.all(pending);
    end(failure);
  };
  return {
    signal,
    emit,
    indexed: (at, result) => void pending.push(indexed(at, result)),
    end: (failure) => void finish(failure),
  };
}
