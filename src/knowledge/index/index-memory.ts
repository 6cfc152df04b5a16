import { decodeForward, type ForwardEntry } from './forward-index.ts';
import type { IndexConnection, IndexRow } from './index-connection.ts';
import { invertEntries, type Postings } from './postings.ts';
import type { VectorMemory } from '../search/vectors/vector-memory.ts';
import { idfOf, termScore } from '../search/bm25.ts';
import type { KnownTerm } from '../search/spelling.ts';

export interface Totals {
  chunks: number;
  averageLength: number;
}

/** The terms of a chunk. */
export interface KnownChunk {
  chunk: number;
  document: number;
  entry: ForwardEntry;
}

/** The text and position of a chunk. */
export interface KnownText {
  ordinal: number;
  headings: readonly string[];
  body: string;
  lineStart: number;
  lineEnd: number;
}

/** Every chunk of a small index. */
export interface AllChunks {
  /** Sorted by id. */
  chunks: readonly KnownChunk[];
  postings: Postings;
}

/** A cache for searches; it holds the whole index if that is small. */
export interface IndexMemory {
  readonly chunks: Map<number, KnownChunk>;
  all?: AllChunks;
  /** The inverse document frequencies of terms. */
  readonly idfs: Map<number, number>;
  /** Looked up terms; null for a term that no chunk has. */
  readonly terms: Map<string, KnownTerm | null>;
  readonly documents: Map<number, IndexRow>;
  readonly texts: Map<number, KnownText>;
  sources?: readonly IndexRow[];
  totals?: Totals;
  /** By model. */
  readonly vectors: Map<number, VectorMemory>;
}

/** About ten megabytes in total, with texts of typical length. */
export const MOST_KEPT = 2048;
const MOST_IDFS = 50_000;
const MOST_TERMS = 10_000;

export const createIndexMemory = (): IndexMemory => ({
  chunks: new Map(),
  idfs: new Map(),
  terms: new Map(),
  documents: new Map(),
  texts: new Map(),
  vectors: new Map(),
});

const memories = new WeakMap<IndexConnection, { version: number; memory: IndexMemory }>();

/**
 * Reads from one snapshot of the index, with its cache. SQLite's data version changes with every commit of
 * another connection, so this does not work for connections that write.
 */
export function readSnapshot<T>(connection: IndexConnection, read: (memory: IndexMemory) => T): T {
  connection.run('BEGIN');
  try {
    return read(memoryOf(connection));
  } finally {
    connection.run('COMMIT');
  }
}

function memoryOf(connection: IndexConnection): IndexMemory {
  const version = Number(connection.one('PRAGMA data_version')?.data_version);
  const known = memories.get(connection);
  if (known?.version === version) {
    trim(known.memory);
    return known.memory;
  }
  const memory = createIndexMemory();
  memories.set(connection, { version, memory });
  return memory;
}

/** Called only between searches, so that nothing is evicted during a search. */
function trim({ chunks, documents, texts, idfs, terms }: IndexMemory): void {
  for (const map of [chunks, documents, texts]) {
    for (const oldest of map.keys()) {
      if (map.size <= MOST_KEPT) break;
      map.delete(oldest);
    }
  }
  if (idfs.size > MOST_IDFS) idfs.clear();
  if (terms.size > MOST_TERMS) terms.clear();
}

/** Reads the rows that are not cached with one statement, which takes their ids as JSON. */
export function recallRows<T>(
  connection: IndexConnection,
  kept: Map<number, T>,
  sql: string,
  ids: readonly number[],
  keep: (row: IndexRow) => T,
): void {
  const missing = ids.filter((id) => !kept.has(id));
  if (missing.length === 0) return;
  for (const row of connection.all(sql, JSON.stringify(missing))) kept.set(Number(row.id), keep(row));
}

const CHUNK = 'forward.chunk AS id, forward.document, forward.terms';

export function recallChunks(
  connection: IndexConnection,
  { chunks }: IndexMemory,
  ids: readonly number[],
): KnownChunk[] {
  const sql = `SELECT ${CHUNK} FROM json_each(?) CROSS JOIN forward ON forward.chunk = json_each.value`;
  recallRows(connection, chunks, sql, ids, knownChunk);
  return ids.map((id) => chunks.get(id)).filter((known) => known !== undefined);
}

/** Only for an index of at most `MOST_KEPT` chunks. */
export function recallAllChunks(
  connection: IndexConnection,
  memory: IndexMemory,
  { averageLength }: Totals,
): AllChunks {
  if (memory.all) return memory.all;
  const chunks = connection.all(`SELECT ${CHUNK} FROM forward ORDER BY chunk`).map(knownChunk);
  const entries = chunks.map(({ entry }) => entry);
  return (memory.all = { chunks, postings: invertEntries(entries, termScore(averageLength)) });
}

function knownChunk({ id, document, terms }: IndexRow): KnownChunk {
  const bytes = terms instanceof Uint8Array ? terms : new Uint8Array();
  return { chunk: Number(id), document: Number(document), entry: decodeForward(bytes) };
}

/** The inverse document frequencies of these terms. */
export function recallIdfs(
  connection: IndexConnection,
  { idfs }: IndexMemory,
  ids: readonly number[],
  totals: Totals,
): ReadonlyMap<number, number> {
  const sql = 'SELECT term.id, term.chunks FROM json_each(?) CROSS JOIN term ON term.id = json_each.value';
  recallRows(connection, idfs, sql, ids, ({ chunks }) => idfOf(Number(chunks), totals.chunks));
  return idfs;
}
