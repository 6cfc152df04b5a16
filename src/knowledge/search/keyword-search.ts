import type { IndexConnection } from '../index/index-connection.ts';
import {
  type IndexMemory,
  type KnownChunk,
  MOST_KEPT,
  recallAllChunks,
  recallChunks,
  recallCounts,
} from '../index/index-memory.ts';
import { storedNumbers } from '../index/index-rows.ts';
import { FIELD_WEIGHTS } from '../index/index-schema.ts';
import { idfOf, scoreEntries, scorePostings, type TermWeight } from './bm25.ts';
import { quotedTerms } from './exact-phrase.ts';
import { expandQuestion, FEEDBACK_CHUNKS, LEAST_WORDS } from './feedback.ts';
import type { Candidate } from './group-candidates.ts';
import { leastOfBest } from './least-of-best.ts';
import type { QueryPlan } from './query-plan.ts';
import type { DocumentFilter } from './search-filters.ts';

export interface KeywordResult {
  candidates: Candidate[];
  /** Words that feedback has added. */
  added: TermWeight[];
}

export interface KeywordOptions {
  /** The number of results that are needed; several chunks may be one. */
  results: number;
  /** The most chunks to consider. */
  limit: number;
  feedback?: boolean;
}

const CHUNKS_PER_RESULT = 4;
/** FTS5 takes time for each term, so a long question is first asked with its most telling ones. */
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
  const question = plan.terms.flatMap(({ id, weight }) => (id === null ? [] : [{ id, weight }]));
  const demanding = plan.required.length > 0 || plan.phrases.required.length > 0;
  if (question.length === 0 && !demanding) return { candidates: [], added: [] };
  const expanding = feedback && plan.length >= LEAST_WORDS;
  const asked = { plan, filter };
  const few = Math.min(limit, results * CHUNKS_PER_RESULT);
  let pool = readPool(connection, memory, asked, expanding ? limit : few);
  if (!expanding && pool.chunks.length === few && few < limit && countDocuments(pool.chunks) < results) {
    pool = readPool(connection, memory, asked, limit);
  }
  if (question.length === 0) {
    const found = pool.chunks.filter(({ chunk }) => pool.allowed?.has(chunk) ?? true);
    return { candidates: found.slice(0, limit).map((known) => candidate(known, 0)), added: [] };
  }
  const idf = (ids: readonly number[]) => {
    const counts = recallCounts(connection, memory, ids);
    return (id: number) => idfOf(counts.get(id) ?? 0, totals.chunks);
  };
  const score = (terms: readonly TermWeight[], most: number): Candidate[] => {
    const idfOfTerm = idf(terms.map(({ id }) => id));
    const weighted = terms.map(({ id, weight }) => ({ id, weight: weight * idfOfTerm(id) }));
    return best(pool, pool.score(weighted, totals.averageLength), most);
  };
  const candidates = score(question, expanding ? FEEDBACK_CHUNKS : limit);
  if (!expanding || candidates.length === 0) return { candidates, added: [] };
  const { terms, added } = expandQuestion(
    question,
    candidates.flatMap(({ chunk, score: own }) => {
      const known = pool.chunks.find((other) => other.chunk === chunk);
      return known ? [{ entry: known.entry, score: own }] : [];
    }),
    idf,
  );
  return { candidates: score(terms, limit), added };
}

const candidate = ({ chunk, document }: KnownChunk, score: number): Candidate => ({ chunk, document, score });

const countDocuments = (pool: readonly KnownChunk[]): number =>
  new Set(pool.map(({ document }) => document)).size;

/** Those with a score, best first; in the order of the index where scores are equal. */
function best({ chunks, allowed }: Pool, scores: Float64Array, limit: number): Candidate[] {
  if (allowed) {
    for (const [at, { chunk }] of chunks.entries()) if (!allowed.has(chunk)) scores[at] = 0;
  }
  const least = leastOfBest(scores, limit);
  const found: Candidate[] = [];
  for (let at = 0; at < scores.length; at++) {
    const [known, score = 0] = [chunks[at], scores[at]];
    if (known && score > 0 && score >= least) found.push(candidate(known, score));
  }
  return found.toSorted((a, b) => b.score - a.score || a.chunk - b.chunk).slice(0, limit);
}

/** The chunks that are scored. */
interface Pool {
  chunks: readonly KnownChunk[];
  /** Those that the filter lets through; null if all of them. */
  allowed: ReadonlySet<number> | null;
  score(terms: readonly TermWeight[], averageLength: number): Float64Array;
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
    const { chunks, postings } = recallAllChunks(connection, memory);
    const score = (terms: readonly TermWeight[], averageLength: number) =>
      scorePostings(postings, terms, averageLength);
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
    score: (terms, averageLength) => scoreEntries(entries, terms, averageLength),
  };
}

const { title, headings, path, body } = FIELD_WEIGHTS;
const RANK = `bm25(passage, ${title}, ${headings}, ${path}, ${body})`;

/** By FTS5. As one row, since the driver takes longer over two hundred rows than SQLite takes to find them. */
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

/** Terms that half of the collection has take the longest and change little. */
function firstTerms({ terms, totals }: QueryPlan): string[] {
  const known = terms.filter(({ id }) => id !== null);
  const telling = known.filter(({ chunks }) => chunks * 2 < totals.chunks);
  return (telling.length > 0 ? telling : known)
    .toSorted((a, b) => b.idf * b.weight - a.idf * a.weight)
    .slice(0, MOST_FIRST_TERMS)
    .map(({ term }) => term);
}
