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
const RANK = `bm25(${title}, ${headings}, ${path}, ${body})`;
/** Fewer than these have nothing in common that could be learned from. */
const LEAST_FOR_FEEDBACK = 10;

/** The best chunks by words, best first. What the filter leaves out is never a candidate. */
export function searchKeywords(
  connection: IndexConnection,
  plan: QueryPlan,
  filter: DocumentFilter,
  limit: number,
  entryOf: (chunk: number) => ForwardEntry | undefined,
  options: { feedback: boolean } = { feedback: true },
): KeywordResult {
  const known = worthAsking(plan);
  const match = matchExpression({ terms: known, required: plan.required, excluded: plan.excluded });
  if (match === null) return { candidates: [], expansion: [] };
  // FTS5 sorts first and this reads on until it has enough, so the filter costs only what it turns away.
  const rows = connection.all(
    filter.sql === null
      ? `SELECT passage.rowid AS chunk, passage.rank AS rank, chunk.document AS document
         FROM passage CROSS JOIN chunk ON chunk.id = passage.rowid
         WHERE passage MATCH ? AND passage.rank MATCH '${RANK}' ORDER BY passage.rank LIMIT ?`
      : `SELECT passage.rowid AS chunk, passage.rank AS rank, chunk.document AS document
         FROM passage CROSS JOIN chunk ON chunk.id = passage.rowid CROSS JOIN document ON document.id = chunk.document
         WHERE passage MATCH ? AND passage.rank MATCH '${RANK}' AND ${filter.sql} ORDER BY passage.rank LIMIT ?`,
    match,
    ...filter.params,
    limit,
  );
  const candidates = rows.map((row) => ({
    chunk: Number(row.chunk),
    score: -Number(row.rank),
    document: Number(row.document),
  }));
  if (!options.feedback || !plan.isQuestion || candidates.length < LEAST_FOR_FEEDBACK) {
    return { candidates, expansion: [] };
  }
  const chunksWith = createTermCounts(connection);
  const expansion = expansionOf(candidates, entryOf, chunksWith, plan.totals);
  const documentOf = new Map(candidates.map(({ chunk, document }) => [chunk, document]));
  const rescored = rescore(candidates, known.length, expansion, entryOf, chunksWith, plan.totals);
  return {
    candidates: rescored.map((scored) => ({ ...scored, document: documentOf.get(scored.chunk) ?? 0 })),
    expansion,
  };
}

/** What more than half of the collection has changes no order and costs the most, so it is only asked for alone. */
function worthAsking({ terms, totals }: QueryPlan): string[] {
  const known = terms.filter(({ id }) => id !== null);
  const telling = known.filter(({ chunks }) => chunks * 2 < totals.chunks);
  return (telling.length > 0 ? telling : known).map(({ term }) => term);
}

/** Reads what each chunk holds, once for a search. */
export function createEntryReader(connection: IndexConnection): (chunk: number) => ForwardEntry | undefined {
  const entries = new Map<number, ForwardEntry | undefined>();
  return (chunk) => {
    if (entries.has(chunk)) return entries.get(chunk);
    const terms = connection.one('SELECT terms FROM forward WHERE chunk = ?', chunk)?.terms;
    const entry = terms instanceof Uint8Array ? decodeForward(terms) : undefined;
    entries.set(chunk, entry);
    return entry;
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
