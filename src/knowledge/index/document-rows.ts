import type { Chunk } from '../document.ts';
import type { ChunkWriter } from './chunk-writer.ts';
import { documentName } from './document-name.ts';
import type { IndexConnection } from './index-connection.ts';
import { chunkOf, storedMetadata } from './index-rows.ts';
import type { ManifestEntry, NewDocument } from './index-writer.ts';

/** Writes the rows of documents and of the manifest, each call within the caller's transaction. */
export interface DocumentRows {
  removeDocument(source: number, path: string): void;
  insertDocument(source: number, entry: ManifestEntry, document: NewDocument, pieces: readonly Chunk[]): void;
  /** Throws if there is nothing at `from`. */
  moveDocument(
    source: number,
    from: string,
    entry: ManifestEntry,
    changed: Pick<NewDocument, 'url' | 'updatedAt' | 'title'>,
  ): void;
  writeItem(source: number, entry: ManifestEntry): void;
  removeItem(source: number, path: string): void;
}

export function createDocumentRows(connection: IndexConnection, chunks: ChunkWriter): DocumentRows {
  function removeDocument(source: number, path: string): void {
    const row = connection.one('SELECT id FROM document WHERE source = ? AND path = ?', source, path);
    if (!row) return;
    const id = Number(row.id);
    chunks.remove(id);
    connection.run('DELETE FROM document_text WHERE document = ?', id);
    connection.run('DELETE FROM document WHERE id = ?', id);
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
      nameOf(connection, source, entry.path),
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

  function moveDocument(
    source: number,
    from: string,
    entry: ManifestEntry,
    { url, updatedAt, title }: Pick<NewDocument, 'url' | 'updatedAt' | 'title'>,
  ): void {
    const old = connection.one('SELECT * FROM document WHERE source = ? AND path = ?', source, from);
    if (!old) throw new Error(`nothing at ${from} to move to ${entry.path}`);
    const text = connection.one('SELECT text FROM document_text WHERE document = ?', Number(old.id));
    const pieces = connection.all('SELECT * FROM chunk WHERE document = ? ORDER BY ordinal', Number(old.id));
    removeDocument(source, from);
    removeItem(source, from);
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
  }

  function removeItem(source: number, path: string): void {
    connection.run('DELETE FROM item WHERE source = ? AND path = ?', source, path);
  }

  return {
    removeDocument,
    insertDocument,
    moveDocument,
    removeItem,
    writeItem: (source, entry) => writeItem(connection, source, entry),
  };
}

function writeItem(
  connection: IndexConnection,
  source: number,
  { path, fingerprint, contentHash, settingsHash, bytes, problem }: ManifestEntry,
): void {
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
}

function nameOf(connection: IndexConnection, source: number, path: string): string {
  const row = connection.one('SELECT owner, type, name FROM source WHERE id = ?', source);
  return documentName(
    { owner: String(row?.owner) || null, type: String(row?.type), name: String(row?.name) },
    path,
  );
}

/** Chunks overlap, so their tokens are scaled to the length of the text. */
function tokensOf(text: string, pieces: readonly Chunk[]): number {
  const tokens = pieces.reduce((sum, piece) => sum + piece.tokens, 0);
  const length = pieces.reduce((sum, { body }) => sum + body.length, 0);
  return length === 0 ? tokens : Math.ceil((tokens * Math.min(text.length, length)) / length);
}

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
