import { createChunkWriter } from './chunk-writer.ts';
import { documentName } from './document-name.ts';
import { type IndexConnection, textOrNull } from './index-connection.ts';
import { isDamaged } from './index-errors.ts';
import { openIndexForWriting, reportDamage, rollBack } from './index-file.ts';
import { chunkOf, storedMetadata } from './index-rows.ts';
import type { IndexWriter, ManifestEntry, NewDocument } from './index-writer.ts';
import type { Chunk } from '../document.ts';
import { readManifest } from './read-manifest.ts';
import { sweepVectors } from './vector-tables.ts';

export interface IndexWriterOptions {
  file: string;
  /** Reports something to the user, such as that the index had to be rebuilt. */
  note?: (text: string) => void;
  /** How long to wait for another writer. */
  waitMs?: number;
}

/** Opens the index for writing; creates it if missing and rebuilds it if damaged. */
export function createIndexWriter({ file, ...options }: IndexWriterOptions): IndexWriter {
  const connection = openIndexForWriting(file, options);
  const chunks = createChunkWriter(connection);
  let depth = 0;
  let version = dataVersion(connection);

  function batch<T>(work: () => T): T {
    if (depth > 0) return work();
    try {
      connection.exec('BEGIN IMMEDIATE');
      depth++;
      // The cached vocabulary is stale once another connection has written.
      const now = dataVersion(connection);
      if (now !== version) chunks.forget();
      version = now;
      const value = work();
      chunks.flush();
      connection.exec('COMMIT');
      return value;
    } catch (error) {
      rollBack(connection);
      chunks.forget();
      if (isDamaged(error)) reportDamage(file);
      throw error;
    } finally {
      depth = 0;
    }
  }

  function removeDocument(source: number, path: string): void {
    const row = connection.one('SELECT id FROM document WHERE source = ? AND path = ?', source, path);
    if (!row) return;
    const id = Number(row.id);
    chunks.remove(id);
    connection.run('DELETE FROM document_text WHERE document = ?', id);
    connection.run('DELETE FROM document WHERE id = ?', id);
  }

  function sourceNumber(owner: string | null, type: string, name: string): number | null {
    const sql = 'SELECT id FROM source WHERE owner = ? AND type = ? AND name = ?';
    const row = connection.one(sql, owner ?? '', type, name);
    return row ? Number(row.id) : null;
  }

  function nameOf(source: number, path: string): string {
    const row = connection.one('SELECT owner, type, name FROM source WHERE id = ?', source);
    return documentName(
      { owner: String(row?.owner) || null, type: String(row?.type), name: String(row?.name) },
      path,
    );
  }

  function insertDocument(
    source: number,
    entry: ManifestEntry,
    document: NewDocument,
    pieces: readonly Chunk[],
  ): void {
    const { id } = connection.run(
      `INSERT INTO document (name, source, path, title, url, mime_type, updated_at, metadata, bytes, lines, tokens, chunks)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      nameOf(source, entry.path),
      source,
      entry.path,
      document.title,
      document.url,
      document.mimeType,
      instant(document.updatedAt),
      JSON.stringify(document.metadata),
      entry.bytes,
      countLines(document.text),
      tokensOf(document.text, pieces),
      pieces.length,
    );
    connection.run('INSERT INTO document_text (document, text) VALUES (?, ?)', id, document.text);
    chunks.insert(id, { title: document.title, path: entry.path }, pieces);
  }

  const writeItem = (
    source: number,
    { path, fingerprint, contentHash, settingsHash, bytes, problem }: ManifestEntry,
  ) =>
    connection.run(
      'INSERT OR REPLACE INTO item (source, path, fingerprint, content_hash, settings_hash, bytes, problem, reason, since) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      source,
      path,
      fingerprint,
      contentHash,
      settingsHash,
      bytes,
      problem?.kind ?? null,
      problem?.reason ?? null,
      problem?.since ?? null,
    );

  return {
    batch,
    openSource: ({ owner, type, name }, location) =>
      batch(() => {
        connection.run(
          `INSERT INTO source (owner, type, name, location) VALUES (?, ?, ?, ?)
           ON CONFLICT (owner, type, name) DO UPDATE SET location = excluded.location`,
          owner ?? '',
          type,
          name,
          location,
        );
        return sourceNumber(owner, type, name) ?? 0;
      }),
    findSource: ({ owner, type, name }) => sourceNumber(owner, type, name),
    manifest: (source) => readManifest(connection, source),
    put: (source, entry, document, pieces) =>
      batch(() => {
        removeDocument(source, entry.path);
        insertDocument(source, entry, document, pieces);
        writeItem(source, entry);
      }),
    touch: (source, entry) => batch(() => void writeItem(source, entry)),
    move: (source, from, entry, { url, updatedAt, title }) =>
      batch(() => {
        const old = connection.one('SELECT * FROM document WHERE source = ? AND path = ?', source, from);
        if (!old) throw new Error(`nothing at ${from} to move to ${entry.path}`);
        const text = connection.one('SELECT text FROM document_text WHERE document = ?', Number(old.id));
        const pieces = connection.all(
          'SELECT * FROM chunk WHERE document = ? ORDER BY ordinal',
          Number(old.id),
        );
        removeDocument(source, from);
        connection.run('DELETE FROM item WHERE source = ? AND path = ?', source, from);
        removeDocument(source, entry.path);
        const metadata = storedMetadata(old.metadata);
        const document = {
          title,
          mimeType: String(old.mime_type),
          text: String(text?.text),
          metadata,
          url,
          updatedAt,
        };
        insertDocument(source, entry, document, pieces.map(chunkOf));
        writeItem(source, entry);
      }),
    problem: (source, entry) => batch(() => void writeItem(source, entry)),
    remove: (source, path) =>
      batch(() => {
        removeDocument(source, path);
        connection.run('DELETE FROM item WHERE source = ? AND path = ?', source, path);
      }),
    finish(source, { at, error, checkpoint, skipped }) {
      batch(() => {
        connection.run(
          'UPDATE source SET last_sync = ?, last_error = ?, checkpoint = ?, skipped = ? WHERE id = ?',
          at,
          error,
          JSON.stringify(checkpoint ?? null),
          skipped,
          source,
        );
        sweepVectors(connection);
      });
    },
    checkpoint(source) {
      const stored = textOrNull(
        connection.one('SELECT checkpoint FROM source WHERE id = ?', source)?.checkpoint,
      );
      const value: unknown = stored === null ? null : JSON.parse(stored);
      return value;
    },
    removeSource(source) {
      batch(() => {
        for (const { path } of connection.all('SELECT path FROM document WHERE source = ?', source)) {
          removeDocument(source, String(path));
        }
        connection.run('DELETE FROM item WHERE source = ?', source);
        connection.run('DELETE FROM source WHERE id = ?', source);
        sweepVectors(connection);
      });
    },
    close() {
      try {
        // Readers can block automatic checkpoints; a passive one never waits for them.
        connection.all('PRAGMA wal_checkpoint(PASSIVE)');
      } catch {
        // On a full disk the data stays in the log, which is as safe; the write itself has reported the error.
      } finally {
        connection.close();
      }
    },
  };
}

/** Chunks overlap, so their tokens are scaled to the length of the text. */
function tokensOf(text: string, pieces: readonly Chunk[]): number {
  const tokens = pieces.reduce((sum, piece) => sum + piece.tokens, 0);
  const length = pieces.reduce((sum, { body }) => sum + body.length, 0);
  return length === 0 ? tokens : Math.ceil((tokens * Math.min(text.length, length)) / length);
}

/** Changes when another connection has committed. */
const dataVersion = (connection: IndexConnection): number =>
  Number(connection.one('PRAGMA data_version')?.data_version);

/** Dates are compared as text, so all are stored in one format. */
function instant(date: string | null): string | null {
  const time = date === null ? Number.NaN : Date.parse(date);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

function countLines(text: string): number {
  if (text === '') return 0;
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < text.length - 1; at = text.indexOf('\n', at + 1))
    lines++;
  return lines;
}
