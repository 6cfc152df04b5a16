import { convertDocument } from '../../src/knowledge/extraction/convert-document.ts';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ConnectorType, SyncEvent } from '../../src/contract/knowledge.ts';
import type { ChunkSettings } from '../../src/knowledge/chunking/pack-section.ts';
import type { Connector, RunScript } from '../../src/knowledge/connector.ts';
import { connectors } from '../../src/knowledge/connectors/index.ts';
import { createIndexWriter } from '../../src/knowledge/index/create-index-writer.ts';
import { openIndexConnection } from '../../src/knowledge/index/index-connection.ts';
import { type SourceResult, syncSource } from '../../src/knowledge/sync/sync-source.ts';
import { loadPassingTokenCounter } from '../../src/platform/text/token-count.ts';

export interface SyncedIndex {
  file: string;
  sync(more?: SyncMore): Promise<SourceResult & { events: SyncEvent[] }>;
}

export interface SyncMore {
  full?: boolean;
  dryRun?: boolean;
  signal?: AbortSignal;
  settings?: ChunkSettings;
  config?: Record<string, unknown>;
  connector?: Connector;
  runScript?: RunScript;
  emit?: (event: SyncEvent) => void;
}

/** An index in `home` that one source is synced into, as the thread does it. */
export function syncedIndex(
  home: string,
  type: ConnectorType,
  folder: string,
  config: Record<string, unknown>,
): SyncedIndex {
  const file = join(home, 'index.db');
  const cache = join(home, 'cache');
  mkdirSync(cache, { recursive: true });
  return {
    file,
    async sync(more = {}) {
      const writer = createIndexWriter({ file });
      const events: SyncEvent[] = [];
      const connector = more.connector ?? connectors[type];
      if (!connector) throw new Error(`no connector ${type}`);
      try {
        const result = await syncSource({
          source: { owner: null, type, name: 'notes', folder, config: { ...config, ...more.config } },
          connector,
          writer,
          settings: more.settings ?? { maxTokens: 200, overlapTokens: 20 },
          loadCount: loadPassingTokenCounter,
          convert: convertDocument,
          full: more.full ?? false,
          dryRun: more.dryRun ?? false,
          cache,
          runScript: more.runScript ?? null,
          signal: more.signal ?? new AbortController().signal,
          now: () => new Date(),
          emit(event) {
            events.push(event);
            more.emit?.(event);
          },
        });
        return { ...result, events };
      } finally {
        writer.close();
      }
    },
  };
}

/** Everything a search could see, without the numbers of rows, which depend on the order of events. */
export function contentOf(file: string) {
  const db = openIndexConnection(file, { readOnly: true });
  const content = {
    items: db.all('SELECT path, content_hash, settings_hash, bytes, problem, reason FROM item ORDER BY path'),
    documents: db.all(
      'SELECT name, path, title, url, mime_type, metadata, bytes, lines, tokens, chunks, text FROM document JOIN document_text ON document = id ORDER BY path',
    ),
    chunks: db.all(
      'SELECT name, ordinal, line_start, line_end, chunk.tokens, body, headings FROM chunk JOIN document ON document.id = document ORDER BY path, ordinal',
    ),
    terms: db.all('SELECT term, chunks FROM term WHERE chunks <> 0 ORDER BY term'),
    total: db.all('SELECT * FROM total'),
    passages: db.all('SELECT count(*) AS n FROM passage'),
    forward: db.all('SELECT count(*) AS n FROM forward'),
    damage: db.all('PRAGMA integrity_check').map((row) => row.integrity_check),
  };
  db.close();
  return content;
}

export const pathsIn = (file: string) => contentOf(file).documents.map(({ path }) => path);
export const failuresIn = (file: string) =>
  contentOf(file).items.flatMap(({ path, problem, reason }) =>
    problem === 'failed' ? [[path, reason]] : [],
  );
