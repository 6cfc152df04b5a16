import type { EntryReader } from '../index/entry-reader.ts';
import { idfOf } from './feedback.ts';
import { countIn, type ForwardEntry } from '../index/forward-index.ts';
import type { IndexConnection } from '../index/index-connection.ts';
import { storedNumbers } from '../index/index-rows.ts';
import type { Candidate } from './candidate.ts';
import type { PlannedTerm } from './query-plan.ts';
import type { DocumentFilter } from './search-filters.ts';
import type { Totals } from '../index/totals.ts';

/**
 * The candidates that FTS5 would give for any of some terms, with the same scores and in the same order. FTS5 finds
 * them in a fraction of the time that it takes to score them, and what scores are made of is remembered here: this is
 * for collections of which everything is.
 */
export function rememberedCandidates(
  connection: IndexConnection,
  request: { match: string; terms: readonly PlannedTerm[]; filter: DocumentFilter; limit: number },
  entries: EntryReader,
): Candidate[] {
  const chunks = matchingChunks(connection, request.match, request.filter);
  entries.load(chunks);
  const totals = entries.scoringTotals();
  const terms = request.terms.map(({ id, chunks }) => ({ id: id ?? 0, idf: idfOf(chunks, totals) }));
  const scores = new Float64Array(chunks.length);
  for (let at = 0; at < chunks.length; at++) {
    const entry = entries.read(chunks[at] ?? 0);
    if (entry) scores[at] = scoreOf(entry, terms, totals);
  }
  const least = scores.length > request.limit ? (scores.toSorted().at(-request.limit) ?? 0) : 0;
  const best: Candidate[] = [];
  for (let at = 0; at < chunks.length; at++) {
    const score = scores[at] ?? 0;
    if (score < least) continue;
    const chunk = chunks[at] ?? 0;
    const document = entries.documentOf(chunk);
    if (document !== undefined) best.push({ chunk, score, document });
  }
  return best.toSorted((a, b) => b.score - a.score || a.chunk - b.chunk).slice(0, request.limit);
}

/** In the order of their numbers. */
function matchingChunks(connection: IndexConnection, match: string, filter: DocumentFilter): number[] {
  const row =
    filter.sql === null
      ? connection.one('SELECT json_group_array(rowid) AS chunks FROM passage WHERE passage MATCH ?', match)
      : connection.one(
          `SELECT json_group_array(passage.rowid) AS chunks
           FROM passage CROSS JOIN forward ON forward.chunk = passage.rowid
           CROSS JOIN document ON document.id = forward.document WHERE passage MATCH ? AND ${filter.sql}`,
          match,
          ...filter.params,
        );
  return storedNumbers(row?.chunks);
}

const K1 = 1.2;
const B = 0.75;

/** Step by step as FTS5 does it, so that not even the last digit is another one. */
function scoreOf(
  entry: ForwardEntry,
  terms: readonly { id: number; idf: number }[],
  { averageLength }: Totals,
): number {
  const norm = K1 * (1 - B + (B * entry.length) / averageLength);
  let score = 0;
  for (const { id, idf } of terms) {
    const count = countIn(entry, id);
    if (count > 0) score += idf * ((count * (K1 + 1)) / (count + norm));
  }
  return score;
}
