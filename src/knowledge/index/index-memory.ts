import type { ForwardEntry } from './forward-index.ts';
import type { IndexConnection, IndexRow } from './index-connection.ts';
import type { Totals } from './totals.ts';
import type { VectorMemory } from '../search/vector-memory.ts';
import type { KnownTerm } from '../search/spelling.ts';

/** What a chunk holds; `entry` is decoded when it is first asked for. */
export interface KnownChunk {
  document: number;
  terms: Uint8Array;
  entry?: ForwardEntry;
}

/** A chunk's own text and place. */
export interface KnownText {
  ordinal: number;
  headings: readonly string[];
  body: string;
  lineStart: number;
  lineEnd: number;
}

/** What searches have read of the index and would read again: much of it, where a collection is small. */
export interface IndexMemory {
  readonly forward: Map<number, KnownChunk>;
  /** How many chunks have a term. */
  readonly counts: Map<number, number>;
  /** Terms that were asked for; null for one that no chunk has. */
  readonly terms: Map<string, KnownTerm | null>;
  readonly documents: Map<number, IndexRow>;
  readonly texts: Map<number, KnownText>;
  sources?: readonly IndexRow[];
  total?: IndexRow | undefined;
  /** What FTS5 scores by. */
  scoring?: Totals;
  /** By model. */
  readonly vectors: Map<number, VectorMemory>;
}

/** Some ten megabytes in all, with texts of usual length. */
export const MOST_KEPT = 2048;
const MOST_COUNTS = 50_000;
const MOST_TERMS = 10_000;

export const createIndexMemory = (): IndexMemory => ({
  forward: new Map(),
  counts: new Map(),
  terms: new Map(),
  documents: new Map(),
  texts: new Map(),
  vectors: new Map(),
});

const memories = new WeakMap<IndexConnection, { version: number; memory: IndexMemory }>();

/**
 * Reads from one state of the index, with what is remembered of that state. The number that SQLite keeps changes with
 * every commit of another connection, so this is for those that do not write themselves.
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

/** Between searches, so that one search finds again whatever it has read. */
function trim({ forward, documents, texts, counts, terms }: IndexMemory): void {
  for (const map of [forward, documents, texts]) {
    for (const oldest of map.keys()) {
      if (map.size <= MOST_KEPT) break;
      map.delete(oldest);
    }
  }
  if (counts.size > MOST_COUNTS) counts.clear();
  if (terms.size > MOST_TERMS) terms.clear();
}

/** Rows by their numbers, those that are not remembered by one statement; it is given the numbers as JSON. */
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
