import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SyncEvent } from '../../contract/knowledge.ts';
import { createReleaseClosed } from '../../platform/store/release-closed.ts';
import { loadPassingTokenCounter } from '../../platform/text/token-count.ts';
import type { ConfiguredSource, RunScript } from '../connector.ts';
import { connectors } from '../connectors/index.ts';
import { createConverter } from '../extraction/create-converter.ts';
import { createIndexWriter } from '../index/create-index-writer.ts';
import type { SourceKey } from '../index/index-reader.ts';
import type { IndexWriter } from '../index/index-writer.ts';
import { sourceId, sourceKey } from '../source-reference.ts';
import type { IndexedSource, SyncRequest, SyncThreadData } from './sync-messages.ts';
import { syncSource } from './sync-source.ts';

export interface RunOptions {
  request: SyncRequest;
  signal: AbortSignal;
  runScript: RunScript | null;
  emit(event: SyncEvent): void;
  /** @param source its position in the request */
  indexed(source: number, result: IndexedSource): void;
}

export interface Runner {
  /** Syncs sources in sequence, with one sync per source at a time. Throws if the index cannot be opened. */
  sync(options: RunOptions): Promise<void>;
  /** Removes sources with their documents and caches, each after its sync in progress. */
  remove(sources: readonly SourceKey[]): Promise<void>;
}

export function createRunner({ index, cache }: SyncThreadData): Runner {
  const lines = new Map<string, Promise<unknown>>();
  let writer: IndexWriter | null = null;
  let users = 0;
  const converter = createConverter();
  const release = createReleaseClosed();

  /** The index is open only during syncs: the next one detects and rebuilds a damaged file. */
  async function withWriter(note: (text: string) => void, work: (writer: IndexWriter) => Promise<void>) {
    release.busy();
    writer ??= createIndexWriter({ file: index, note });
    users++;
    try {
      await work(writer);
    } finally {
      users--;
      if (users === 0) {
        converter.close();
        writer.close();
        writer = null;
        release.closed();
      }
    }
  }

  /** Waits for earlier work with the same key. */
  function inLine<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = lines.get(key) ?? Promise.resolve();
    const own = before.then(work);
    const settled = own.catch(() => undefined);
    lines.set(key, settled);
    void settled.then(() => lines.get(key) === settled && lines.delete(key));
    return own;
  }

  async function syncOne(
    source: ConfiguredSource,
    openWriter: IndexWriter,
    { request, signal, runScript, emit }: RunOptions,
  ): Promise<IndexedSource> {
    const startedAt = performance.now();
    const connector = connectors[source.type];
    if (!connector) throw new Error(`no connector for ${source.type}`);
    const folder = cacheOf(cache, source);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const result = await syncSource({
      source,
      connector,
      writer: openWriter,
      settings: request.settings,
      loadCount: loadPassingTokenCounter,
      convert: converter.convert,
      full: request.full,
      dryRun: request.dryRun,
      cache: folder,
      runScript,
      signal,
      now: () => new Date(),
      emit: (event) => {
        if (request.changes || event.type !== 'change') emit(event);
      },
    });
    return { ...result, tookMs: performance.now() - startedAt };
  }

  return {
    async sync(options) {
      const { request, signal, emit } = options;
      const note = (reason: string) => {
        const [first] = request.sources;
        if (first) emit({ type: 'problem', source: sourceId(first), path: null, reason });
      };
      await withWriter(note, async (openWriter) => {
        for (const [at, source] of request.sources.entries()) {
          if (signal.aborted) return;
          const result = await inLine(sourceKey(source), () => syncOne(source, openWriter, options));
          options.indexed(at, result);
        }
      });
    },

    remove: (sources) =>
      withWriter(
        () => undefined,
        async (openWriter) => {
          for (const source of sources) {
            await inLine(sourceKey(source), async () => {
              const number = openWriter.findSource(source);
              if (number !== null) openWriter.removeSource(number);
              rmSync(cacheOf(cache, source), { recursive: true, force: true });
            });
          }
        },
      ),
  };
}

/** A readable, unique folder name per source. */
function cacheOf(cache: string, source: SourceKey): string {
  const mark = createHash('sha256').update(sourceKey(source)).digest('hex').slice(0, 12);
  return join(cache, `${source.type}-${source.name.replace(/[^\w.-]+/g, '_').slice(0, 40)}-${mark}`);
}
