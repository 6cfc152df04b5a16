import type { IndexConnection } from '../index/index-connection.ts';
import {
  type IndexMemory,
  type KnownChunk,
  MOST_KEPT,
  recallAllChunks,
  recallChunks,
  recallIdfs,
} from '../index/index-memory.ts';
import { storedNumbers } from '../index/index-rows.ts';
import { FIELD_WEIGHTS } from '../index/index-schema.ts';
import { scoreEntries, scorePostings, type TermWeight } from './bm25.ts';
import { quotedTerms } from './exact-phrase.ts';
import { FEEDBACK_CHUNKS, FEEDBACK_SHARE, feedbackTerms, LEAST_WORDS } from './feedback.ts';
import type { Candidate } from './group-candidates.ts';
import { leastOfBest } from './least-of-best.ts';
import type { PlannedTerm, QueryPlan } from './query-plan.ts';
import type { DocumentFilter } from './search-filters.ts';

export interface KeywordResult {
  candidates: Candidate[];
  /** Words that feedback has added. */
  added: TermWeight[];
}

export interface KeywordOptions {
  /** The number of results needed; several chunks may form one result. */
  results: number;
  /** The most chunks to consider. */
  limit: number;
  feedback?: boolean;
}

const CHUNKS_PER_RESULT = 4;
/** FTS5 takes time for each term, so a long question is reduced to its most distinctive ones first. */
const MOST_FIRST_TERMS = 32;

/**
 * The best chunks by BM25 with relevance feedback, best first. A small index is scored from memory. In a large one,
 * FTS5 finds the candidates, which are then scored in the same way. Chunks that the filter excludes are never scored.
 */
export function searchKeywords(
  connection: IndexConnection,
  memory: IndexMemory,
  plan: QueryPlan,
  filter: DocumentFilter,
  { results, limit, feedback = true }: KeywordOptions,
): KeywordResult {
  const { totals } = plan;
  const known = plan.terms.flatMap((term) => (term.id === null ? [] : [{ ...term, id: term.id }]));
  const question = known.filter(({ parts }) => !parts);
  const demanding = plan.required.length > 0 || plan.phrases.required.length > 0;
  if (known.length === 0 && !demanding) return { candidates: [], added: [] };
  const expanding = feedback && plan.length >= LEAST_WORDS;
  const asked = { plan, filter };
  const few = Math.min(limit, results * CHUNKS_PER_RESULT);
  let pool = readPool(connection, memory, asked, expanding ? limit : few);
  if (!expanding && pool.chunks.length === few && few < limit && countDocuments(pool.chunks) < results) {
    pool = readPool(connection, memory, asked, limit);
  }
  if (known.length === 0) {
    const found = pool.chunks.filter(({ chunk }) => pool.allowed?.has(chunk) ?? true);
    return { candidates: found.slice(0, limit).map((known) => candidateOf(known, 0)), added: [] };
  }
  const scores = questionScores(pool, known);
  const found = best(pool.chunks, scores, expanding ? FEEDBACK_CHUNKS : limit);
  if (!expanding || found.length === 0) return { candidates: found.map(candidate), added: [] };
  const idfs = (ids: readonly number[]) => recallIdfs(connection, memory, ids, totals);
  const added = feedbackTerms(
    question,
    found.map(({ known, score }) => ({ entry: known.entry, score })),
    idfs,
  );
  const idfsOfAdded = idfs(added.map(({ id }) => id));
  const more = allowedScores(
    pool,
    added.map(({ id, weight }) => ({ id, weight: weight * (idfsOfAdded.get(id) ?? 0) })),
  );
  // Scores are sums, so the words of the question need not be scored again.
  for (let at = 0; at < more.length; at++) {
    more[at] = (more[at] ?? 0) + (1 - FEEDBACK_SHARE) * (scores[at] ?? 0);
  }
  return { candidates: best(pool.chunks, more, limit).map(candidate), added };
}

const candidateOf = ({ chunk, document }: KnownChunk, score: number): Candidate => ({
  chunk,
  document,
  score,
});
const candidate = ({ known, score }: ScoredChunk): Candidate => candidateOf(known, score);

const countDocuments = (pool: readonly KnownChunk[]): number =>
  new Set(pool.map(({ document }) => document)).size;

type FoundTerm = PlannedTerm & { id: number };

/** Two words written as one count as both; passages that have them apart as well get the higher of the two scores. */
function questionScores(pool: Pool, terms: readonly FoundTerm[]): Float64Array {
  const scoresOf = (some: readonly FoundTerm[]) =>
    allowedScores(
      pool,
      some.map(({ id, weight, idf }) => ({ id, weight: weight * idf })),
    );
  const words = terms.filter(({ parts }) => !parts);
  const scores = scoresOf(words);
  for (const joined of terms) {
    const { parts } = joined;
    if (!parts) continue;
    const whole = scoresOf([joined]);
    const apart = scoresOf(words.filter(({ term }) => parts.includes(term)));
    for (let at = 0; at < scores.length; at++) {
      scores[at] = (scores[at] ?? 0) + Math.max(0, (whole[at] ?? 0) - (apart[at] ?? 0));
    }
  }
  return scores;
}

/** One score for each chunk of the pool; zero for those that the filter excludes. */
function allowedScores({ chunks, allowed, score }: Pool, terms: readonly TermWeight[]): Float64Array {
  const scores = score(terms);
  if (allowed) {
    for (const [at, { chunk }] of chunks.entries()) if (!allowed.has(chunk)) scores[at] = 0;
  }
  return scores;
}

interface ScoredChunk {
  known: KnownChunk;
  score: number;
}

/** Chunks with a score, best first; ties keep the order of the index. */
function best(chunks: readonly KnownChunk[], scores: Float64Array, limit: number): ScoredChunk[] {
  const least = leastOfBest(scores, limit);
  const found: ScoredChunk[] = [];
  for (let at = 0; at < scores.length; at++) {
    const score = scores[at] ?? 0;
    const known = score > 0 && score >= least ? chunks[at] : undefined;
    if (known) found.push({ known, score });
  }
  return found.toSorted((a, b) => b.score - a.score || a.known.chunk - b.known.chunk).slice(0, limit);
}

/** The chunks that are scored. */
interface Pool {
  chunks: readonly KnownChunk[];
  /** The chunks that pass the filter; null if all do. */
  allowed: ReadonlySet<number> | null;
  score: (terms: readonly TermWeight[]) => Float64Array;
}

interface Asked {
  plan: QueryPlan;
  filter: DocumentFilter;
}

/** The tables that a filter may mention; texts only if it does, since their rows are large. */
const tablesOf = (sql: string): string =>
  `forward CROSS JOIN document ON document.id = forward.document${
    sql.includes('chunk.id') ? ' CROSS JOIN chunk ON chunk.id = forward.chunk' : ''
  }`;

function readPool(
  connection: IndexConnection,
  memory: IndexMemory,
  { plan, filter }: Asked,
  limit: number,
): Pool {
  if (plan.totals.chunks <= MOST_KEPT) {
    const { chunks, postings } = recallAllChunks(connection, memory, plan.totals);
    const score = (terms: readonly TermWeight[]) => scorePostings(postings, terms);
    if (filter.sql === null) return { chunks, allowed: null, score };
    const row = connection.one(
      `SELECT json_group_array(forward.chunk) AS chunks FROM ${tablesOf(filter.sql)} WHERE ${filter.sql}`,
      ...filter.params,
    );
    return { chunks, allowed: new Set(storedNumbers(row?.chunks)), score };
  }
  const chunks = recallChunks(connection, memory, firstCandidates(connection, plan, filter, limit));
  const entries = chunks.map(({ entry }) => entry);
  return {
    chunks,
    allowed: null,
    score: (terms) => scoreEntries(entries, terms, plan.totals.averageLength),
  };
}

const { title, headings, path, body } = FIELD_WEIGHTS;
const RANK = `bm25(passage, ${title}, ${headings}, ${path}, ${body})`;

/** Finds chunks with FTS5, in one row: reading two hundred rows takes longer than finding them. */
function firstCandidates(
  connection: IndexConnection,
  plan: QueryPlan,
  filter: DocumentFilter,
  limit: number,
): number[] {
  const terms = firstTerms(plan);
  const sql = filter.sql ?? 'true';
  if (terms.length === 0) {
    const row = connection.one(
      `SELECT json_group_array(id) AS chunks
       FROM (SELECT forward.chunk AS id FROM ${tablesOf(sql)} WHERE ${sql} LIMIT ?)`,
      ...filter.params,
      limit,
    );
    return storedNumbers(row?.chunks);
  }
  const joined =
    filter.sql === null
      ? 'passage WHERE passage MATCH ?'
      : `passage CROSS JOIN ${tablesOf(sql)} WHERE forward.chunk = passage.rowid AND passage MATCH ? AND ${sql}`;
  const row = connection.one(
    `SELECT json_group_array(id) AS chunks
     FROM (SELECT passage.rowid AS id, ${RANK} AS rank FROM ${joined} ORDER BY 2 LIMIT ?)`,
    terms.map((term) => quotedTerms([term])).join(' OR '),
    ...filter.params,
    limit,
  );
  return storedNumbers(row?.chunks);
}

/** Terms that occur in half of the collection take the longest and change little. */
function firstTerms({ terms, totals }: QueryPlan): string[] {
  const known = terms.filter(({ id }) => id !== null);
  const telling = known.filter(({ chunks }) => chunks * 2 < totals.chunks);
  return (telling.length > 0 ? telling : known)
    .toSorted((a, b) => b.idf * b.weight - a.idf * a.weight)
    .slice(0, MOST_FIRST_TERMS)
    .map(({ term }) => term);
}
