import type { Config } from '../../contract/config.ts';
import type { SyncEvent } from '../../contract/knowledge.ts';
import type { ConfiguredSource } from '../connector.ts';
import type { EmbedProgress, IndexReader } from '../index/index-reader.ts';
import type { KnowledgeScope } from '../knowledge.ts';
import { sourceId, sourceKey } from '../source-reference.ts';
import { noCounts } from '../sync/sync-counts.ts';
import { createSyncQueue } from '../sync/sync-queue.ts';
import type { SyncerOptions } from '../sync/create-syncer.ts';
import { remainingMs } from '../sync/progress.ts';
import { messageOf } from '../../platform/text/error-message.ts';

type Embedding = NonNullable<Config['embedding']>;

/** Embeds synced sources with the settings of the config that asked for the sync. */
export function createEmbedder(reader: () => Promise<IndexReader>) {
  const settings = new Map<string, Embedding>();
  const embed: NonNullable<SyncerOptions['embed']> = async (source, emit, signal) => {
    const embedding = settings.get(sourceKey(source)) ?? {};
    if ((embedding.provider ?? 'disabled') === 'disabled') return { embedded: 0 };
    const startedAt = performance.now();
    const tell = (progress: EmbedProgress) => emit(toEvent(source, progress, performance.now() - startedAt));
    return (await reader()).embed({ rebuild: false }, { sources: [source], embedding }, signal, tell);
  };
  return {
    embed,
    use(sources: readonly ConfiguredSource[], embedding: Embedding): void {
      for (const source of sources) settings.set(sourceKey(source), embedding);
    },
  };
}

export type Embedder = ReturnType<typeof createEmbedder>;

/** Embeds all sources and reports progress as sync events. */
export async function* embedEvents(
  reader: IndexReader,
  options: { rebuild: boolean },
  scope: Pick<KnowledgeScope, 'embedding'> & { sources: readonly ConfiguredSource[] },
  signal: AbortSignal,
): AsyncGenerator<SyncEvent> {
  const startedAt = performance.now();
  const counts = noCounts();
  let ok = true;
  yield { type: 'start', sources: scope.sources.map(sourceId), dryRun: false };
  for (const source of scope.sources) {
    const began = performance.now();
    const events = createSyncQueue();
    const tell = (progress: EmbedProgress) =>
      events.push(toEvent(source, progress, performance.now() - began));
    const finish = (embedded: number, error: string | null): void => {
      counts.embedded += embedded;
      ok &&= error === null;
      const tookMs = performance.now() - began;
      const own = { ...noCounts(), embedded };
      events.push({ type: 'done', source: sourceId(source), ok: error === null, error, counts: own, tookMs });
      events.end();
    };
    reader.embed(options, { sources: [source], embedding: scope.embedding }, signal, tell).then(
      ({ embedded }) => finish(embedded, null),
      (error: unknown) => finish(0, messageOf(error)),
    );
    yield* events.read();
  }
  yield { type: 'end', ok, counts, tookMs: performance.now() - startedAt };
}

function toEvent(source: ConfiguredSource, { embedded, total }: EmbedProgress, elapsedMs: number): SyncEvent {
  return {
    type: 'progress',
    source: sourceId(source),
    phase: 'embed',
    documents: embedded,
    totalDocuments: total,
    bytes: 0,
    totalBytes: null,
    elapsedMs,
    remainingMs: remainingMs(elapsedMs, embedded, total - embedded),
  };
}
