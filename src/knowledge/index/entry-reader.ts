import { decodeForward, type ForwardEntry } from './forward-index.ts';
import type { IndexConnection } from './index-connection.ts';
import { createIndexMemory, type IndexMemory, recallRows } from './index-memory.ts';
import { readScoringTotals } from './passage-totals.ts';
import type { Totals } from './totals.ts';

/** What chunks hold, each read once and decoded when it is asked for. */
export interface EntryReader {
  /** Reads those that are going to be asked for, all at once. */
  load(chunks: readonly number[]): void;
  read(chunk: number): ForwardEntry | undefined;
  documentOf(chunk: number): number | undefined;
  /** How many chunks have a term. */
  chunksWith(term: number): number;
  /** What FTS5 scores by. */
  scoringTotals(): Totals;
}

export function createEntryReader(
  connection: IndexConnection,
  memory: IndexMemory = createIndexMemory(),
): EntryReader {
  const { forward, counts } = memory;
  function load(chunks: readonly number[]): void {
    recallRows(
      connection,
      forward,
      'SELECT chunk AS id, document, terms FROM json_each(?) CROSS JOIN forward ON forward.chunk = json_each.value',
      chunks,
      ({ document, terms }) => ({
        document: Number(document),
        terms: terms instanceof Uint8Array ? terms : new Uint8Array(),
      }),
    );
  }
  return {
    load,
    read(chunk) {
      let known = forward.get(chunk);
      if (!known) {
        load([chunk]);
        known = forward.get(chunk);
      }
      return known && (known.entry ??= decodeForward(known.terms));
    },
    documentOf: (chunk) => forward.get(chunk)?.document,
    chunksWith(term) {
      const known = counts.get(term);
      if (known !== undefined) return known;
      const chunks = Number(connection.one('SELECT chunks FROM term WHERE id = ?', term)?.chunks ?? 0);
      counts.set(term, chunks);
      return chunks;
    },
    scoringTotals: () => (memory.scoring ??= readScoringTotals(connection)),
  };
}
