import { expansionOf, type ExpansionTerm, rescore, type ScoredChunk } from './feedback.ts';
import { decodeForward, type ForwardEntry } from './forward-index.ts';
import type { IndexConnection } from './index-connection.ts';
import { FIELD_WEIGHTS } from './index-schema.ts';
import { matchExpression } from './match-expression.ts';
import type { QueryPlan } from './query-plan.ts';
import type { DocumentFilter } from './search-filters.ts';

/** A chunk among the candidates, with the document it belongs to. */
export interface Candidate extends ScoredChunk {
  document: number;
}

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
  const known = worthAsking(plan);
  const match = matchExpression({ terms: known, required: plan.required, excluded: plan.excluded });
  if (match === null) return { candidates: [], expansion: [] };
  const expanding = feedback && plan.isQuestion;
  const few = Math.min(limit, results * CHUNKS_PER_RESULT);
  const first = candidatesOf(connection, match, filter, entries, expanding ? limit : few);
  const enough = first.length < few || new Set(first.map(({ document }) => document)).size >= results;
  const candidates =
    expanding || enough || few === limit ? first : candidatesOf(connection, match, filter, entries, limit);
  if (!expanding || candidates.length < LEAST_FOR_FEEDBACK) return { candidates, expansion: [] };
  const chunksWith = createTermCounts(connection);
  const expansion = expansionOf(candidates, entries.read, chunksWith, plan.totals);
  const documentOf = new Map(candidates.map(({ chunk, document }) => [chunk, document]));
  const rescored = rescore(candidates, known.length, expansion, entries.read, chunksWith, plan.totals);
  return {
    candidates: rescored.map((scored) => ({ ...scored, document: documentOf.get(scored.chunk) ?? 0 })),
    expansion,
  };
}

function candidatesOf(
  connection: IndexConnection,
  match: string,
  filter: DocumentFilter,
  entries: EntryReader,
  limit: number,
): Candidate[] {
  const columns = 'forward.document AS document, forward.terms AS terms';
  const rows = connection.all(
    filter.sql === null
      ? `SELECT best.chunk AS chunk, best.rank AS rank, ${columns}
         FROM (SELECT rowid AS chunk, bm25(passage, ${WEIGHTS}) AS rank FROM passage WHERE passage MATCH ? ORDER BY 2 LIMIT ?) AS best
         CROSS JOIN forward ON forward.chunk = best.chunk ORDER BY best.rank`
      : // FTS5 sorts and this reads on until it has enough, so the filter costs only what it turns away.
        `SELECT passage.rowid AS chunk, passage.rank AS rank, ${columns}
         FROM passage CROSS JOIN forward ON forward.chunk = passage.rowid
         CROSS JOIN document ON document.id = forward.document
         WHERE passage MATCH ? AND passage.rank MATCH 'bm25(${WEIGHTS})' AND ${filter.sql}
         ORDER BY passage.rank LIMIT ?`,
    match,
    ...filter.params,
    limit,
  );
  return rows.map((row) => {
    const chunk = Number(row.chunk);
    if (row.terms instanceof Uint8Array) entries.keep(chunk, row.terms);
    return { chunk, score: -Number(row.rank), document: Number(row.document) };
  });
}

/** What more than half of the collection has changes no order and costs the most, so it is only asked for alone. */
function worthAsking({ terms, totals }: QueryPlan): string[] {
  const known = terms.filter(({ id }) => id !== null);
  const telling = known.filter(({ chunks }) => chunks * 2 < totals.chunks);
  return (telling.length > 0 ? telling : known).map(({ term }) => term);
}

/** What chunks hold, each read once for a search and decoded when it is asked for. */
export interface EntryReader {
  read(chunk: number): ForwardEntry | undefined;
  /** Something that was read along the way. */
  keep(chunk: number, terms: Uint8Array): void;
}

export function createEntryReader(connection: IndexConnection): EntryReader {
  const kept = new Map<number, Uint8Array>();
  const entries = new Map<number, ForwardEntry | undefined>();
  return {
    read(chunk) {
      if (entries.has(chunk)) return entries.get(chunk);
      const terms =
        kept.get(chunk) ?? connection.one('SELECT terms FROM forward WHERE chunk = ?', chunk)?.terms;
      const entry = terms instanceof Uint8Array ? decodeForward(terms) : undefined;
      entries.set(chunk, entry);
      return entry;
    },
    keep: (chunk, terms) => void kept.set(chunk, terms),
  };
}

function createTermCounts(connection: IndexConnection): (term: number) => number {
  const counts = new Map<number, number>();
  return (term) => {
    const known = counts.get(term);
    if (known !== undefined) return known;
    const chunks = Number(connection.one('SELECT chunks FROM term WHERE id = ?', term)?.chunks ?? 0);
    counts.set(term, chunks);
    return chunks;
  };
}
