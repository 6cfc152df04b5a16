import type { Candidate } from './candidate.ts';
import type { EntryReader } from '../index/entry-reader.ts';
import { narrowingOf } from './exact-phrase.ts';
import { expansionOf, type ExpansionTerm, rescore } from './feedback.ts';
import type { IndexConnection } from '../index/index-connection.ts';
import { MOST_KEPT } from '../index/index-memory.ts';
import { storedNumbers } from '../index/index-rows.ts';
import { FIELD_WEIGHTS } from '../index/index-schema.ts';
import { matchExpression } from './match-expression.ts';
import { phraseCondition } from './phrase-filter.ts';
import type { PlannedTerm, QueryPlan } from './query-plan.ts';
import { rememberedCandidates } from './remembered-candidates.ts';
import type { DocumentFilter } from './search-filters.ts';

export interface KeywordResult {
  candidates: Candidate[];
  expansion: ExpansionTerm[];
}

const { title, headings, path, body } = FIELD_WEIGHTS;
const WEIGHTS = `${title}, ${headings}, ${path}, ${body}`;
/** Fewer than these have nothing in common that could be learned from. */
const LEAST_FOR_FEEDBACK = 10;

export interface KeywordOptions {
  /** How many results are wanted; several chunks may be one. */
  results: number;
  /** The most chunks that are considered. */
  limit: number;
  feedback?: boolean;
}

/** For every result a few chunks, since several may be of one document. */
const CHUNKS_PER_RESULT = 4;

/** The best chunks by words, best first. What the filter leaves out is never a candidate. */
export function searchKeywords(
  connection: IndexConnection,
  plan: QueryPlan,
  filter: DocumentFilter,
  entries: EntryReader,
  { results, limit, feedback = true }: KeywordOptions,
): KeywordResult {
  const terms = worthAsking(plan);
  const { required, excluded, phrases, totals } = plan;
  const match = matchExpression({
    terms: terms.map(({ term }) => term),
    required,
    narrowing: phrases.required.flatMap(narrowingOf),
    excluded,
  });
  if (match === null) return { candidates: [], expansion: [] };
  const asked = { match, filter, exact: phraseCondition(connection, phrases) };
  const expanding = feedback && plan.isQuestion;
  const few = Math.min(limit, results * CHUNKS_PER_RESULT);
  const onlyTerms = required.length === 0 && excluded.length === 0 && asked.exact === null;
  const best = (count: number): Candidate[] =>
    onlyTerms && totals.chunks <= MOST_KEPT
      ? rememberedCandidates(connection, { match, terms, filter, limit: count }, entries)
      : candidatesOf(connection, asked, entries, count);
  const first = best(expanding ? limit : few);
  const enough = first.length < few || new Set(first.map(({ document }) => document)).size >= results;
  const candidates = expanding || enough || few === limit ? first : best(limit);
  if (!expanding || candidates.length < LEAST_FOR_FEEDBACK) return { candidates, expansion: [] };
  const { chunksWith } = entries;
  const expansion = expansionOf(candidates, entries.read, chunksWith, totals);
  return {
    candidates: rescore(candidates, terms.length, expansion, entries.read, chunksWith, totals),
    expansion,
  };
}

interface Asked {
  match: string;
  filter: DocumentFilter;
  /** What has to be read in a text, since the index does not know it. */
  exact: string | null;
}

function candidatesOf(
  connection: IndexConnection,
  { match, filter, exact }: Asked,
  entries: EntryReader,
  limit: number,
): Candidate[] {
  if (filter.sql === null && exact === null) return everyCandidate(connection, match, entries, limit);
  // FTS5 sorts and this reads on until it has enough, so the filter costs only what it turns away.
  const rows = connection.all(
    `SELECT passage.rowid AS chunk, passage.rank AS rank, forward.document AS document
     FROM passage CROSS JOIN forward ON forward.chunk = passage.rowid
     CROSS JOIN document ON document.id = forward.document
     ${exact === null ? '' : 'CROSS JOIN chunk ON chunk.id = passage.rowid'}
     WHERE passage MATCH ? AND passage.rank MATCH 'bm25(${WEIGHTS})' AND ${filter.sql ?? 'true'}
       AND ${exact ?? 'true'}
     ORDER BY passage.rank LIMIT ?`,
    match,
    ...filter.params,
    limit,
  );
  entries.load(rows.map(({ chunk }) => Number(chunk)));
  return rows.map(({ chunk, rank, document }) => ({
    chunk: Number(chunk),
    score: -Number(rank),
    document: Number(document),
  }));
}

/** As one row, since the driver takes longer over two hundred than SQLite takes to find them. */
function everyCandidate(
  connection: IndexConnection,
  match: string,
  entries: EntryReader,
  limit: number,
): Candidate[] {
  const row = connection.one(
    `SELECT json_group_array(chunk) AS chunks, json_group_array(rank) AS ranks
     FROM (SELECT rowid AS chunk, bm25(passage, ${WEIGHTS}) AS rank FROM passage WHERE passage MATCH ? ORDER BY 2 LIMIT ?)`,
    match,
    limit,
  );
  const [chunks, ranks] = [storedNumbers(row?.chunks), storedNumbers(row?.ranks)];
  entries.load(chunks);
  const candidates: Candidate[] = [];
  for (const [at, chunk] of chunks.entries()) {
    const document = entries.documentOf(chunk);
    if (document !== undefined) candidates.push({ chunk, score: -(ranks[at] ?? 0), document });
  }
  return candidates;
}

/** What more than half of the collection has changes no order and costs the most, so it is only asked for alone. */
function worthAsking({ terms, totals }: QueryPlan): PlannedTerm[] {
  const known = terms.filter(({ id }) => id !== null);
  const telling = known.filter(({ chunks }) => chunks * 2 < totals.chunks);
  return telling.length > 0 ? telling : known;
}
