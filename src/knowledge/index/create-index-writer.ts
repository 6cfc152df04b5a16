import { createChunkWriter } from './chunk-writer.ts';
import { createDocumentRows } from './document-rows.ts';
import { type IndexConnection, textOrNull } from './index-connection.ts';
import { isDamaged } from './index-errors.ts';
import { openIndexForWriting, reportDamage, rollBack } from './index-file.ts';
import type { IndexWriter } from './index-writer.ts';
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
  const { removeDocument, insertDocument, moveDocument, writeItem, removeItem } = createDocumentRows(
    connection,
    chunks,
  );
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

  function sourceNumber(owner: string | null, type: string, name: string): number | null {
    const sql = 'SELECT id FROM source WHERE owner = ? AND type = ? AND name = ?';
    const row = connection.one(sql, owner ?? '', type, name);
    return row ? Number(row.id) : null;
  }

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
    touch: (source, entry) => batch(() => writeItem(source, entry)),
    move: (source, from, entry, changed) =>
      batch(() => {
        moveDocument(source, from, entry, changed);
        writeItem(source, entry);
      }),
    problem: (source, entry) => batch(() => writeItem(source, entry)),
    remove: (source, path) =>
      batch(() => {
        removeDocument(source, path);
        removeItem(source, path);
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
    checkpoint: (source) => readCheckpoint(connection, source),
    close: () => closeWriter(connection),
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
  };
}

/** Changes when another connection has committed. */
const dataVersion = (connection: IndexConnection): number =>
  Number(connection.one('PRAGMA data_version')?.data_version);

function readCheckpoint(connection: IndexConnection, source: number): unknown {
  const row = connection.one('SELECT checkpoint FROM source WHERE id = ?', source);
  const stored = textOrNull(row?.checkpoint);
  return stored === null ? null : JSON.parse(stored);
}

function closeWriter(connection: IndexConnection): void {
  try {
    // Readers can block automatic checkpoints; a passive one never waits for them.
    connection.all('PRAGMA wal_checkpoint(PASSIVE)');
  } catch {
    // On a full disk the data stays safely in the log; the write has already reported the error.
  } finally {
    connection.close();
  }
}
