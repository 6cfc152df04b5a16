import type { ForwardEntry } from './forward-index.ts';
import type { Totals } from './query-plan.ts';

/**
 * Relevance feedback (RM3): what the best passages of a first search have in common is probably what was asked for,
 * so their terms are added to the question. Pure: counts come in.
 */

export interface ScoredChunk {
  chunk: number;
  score: number;
}

export interface ExpansionTerm {
  id: number;
  /** All of them sum up to one. */
  weight: number;
}

const FEEDBACK_CHUNKS = 10;
const FEEDBACK_TERMS = 20;
/** The share of the question itself. */
const ORIGINAL_SHARE = 0.5;
/** What half of the collection has says nothing. */
const MOST_CHUNKS = 0.5;
/** BM25 is about twice as steep as the logarithm of a likelihood. */
const TEMPERATURE = 2;
const K1 = 1.2;
const B = 0.75;

/** Ordered by weight. Passages count by how likely they are to be meant, which falls off quickly. */
export function expansionOf(
  best: readonly ScoredChunk[],
  entryOf: (chunk: number) => ForwardEntry | undefined,
  chunksWith: (term: number) => number,
  totals: Totals,
): ExpansionTerm[] {
  const weights = new Map<number, number>();
  const top = best[0]?.score ?? 0;
  for (const { chunk, score } of best.slice(0, FEEDBACK_CHUNKS)) {
    const entry = entryOf(chunk);
    if (!entry) continue;
    const likelihood = Math.exp((score - top) / TEMPERATURE);
    let sum = 0;
    for (let at = 1; at < entry.terms.length; at += 2) sum += entry.terms[at] ?? 0;
    for (let at = 0; at + 1 < entry.terms.length; at += 2) {
      const [id = 0, count = 0] = [entry.terms[at], entry.terms[at + 1]];
      weights.set(id, (weights.get(id) ?? 0) + (likelihood * count) / sum);
    }
  }
  const chosen: [id: number, weight: number][] = [];
  for (const [id, weight] of heaviestFirst(weights)) {
    if (chosen.length >= FEEDBACK_TERMS) break;
    if (chunksWith(id) <= totals.chunks * MOST_CHUNKS) chosen.push([id, weight]);
  }
  const all = chosen.reduce((sum, [, weight]) => sum + weight, 0);
  return chosen.map(([id, weight]) => ({ id, weight: weight / all }));
}

/** Most are in one passage once and never looked at, so they are only put in order if those before do not do. */
function* heaviestFirst(weights: ReadonlyMap<number, number>): Generator<readonly [number, number]> {
  const inOrder = (some: [number, number][]) => some.toSorted((a, b) => b[1] - a[1] || a[0] - b[0]);
  const least =
    Float64Array.from(weights.values())
      .toSorted()
      .at(-FEEDBACK_TERMS * 3) ?? 0;
  const all = [...weights];
  yield* inOrder(all.filter(([, weight]) => weight >= least));
  yield* inOrder(all.filter(([, weight]) => weight < least));
}

/** What a term adds to a passage's score, as FTS5 counts it. */
export function bm25Of(count: number, length: number, chunksWithTerm: number, totals: Totals): number {
  return bm25With(idfOf(chunksWithTerm, totals), count, length, totals);
}

const idfOf = (chunksWithTerm: number, totals: Totals): number =>
  Math.max(1e-6, Math.log((totals.chunks - chunksWithTerm + 0.5) / (chunksWithTerm + 0.5)));

function bm25With(idf: number, count: number, length: number, totals: Totals): number {
  return (idf * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / totals.averageLength));
}

/** The candidates in a new order: half by the question, half by what was added to it. */
export function rescore(
  candidates: readonly ScoredChunk[],
  questionTerms: number,
  expansion: readonly ExpansionTerm[],
  entryOf: (chunk: number) => ForwardEntry | undefined,
  chunksWith: (term: number) => number,
  totals: Totals,
): ScoredChunk[] {
  const added = expansion
    .map(({ id, weight }) => ({ id, weight, idf: idfOf(chunksWith(id), totals) }))
    .toSorted((a, b) => a.id - b.id);
  const scored = candidates.map(({ chunk, score }) => {
    const entry = entryOf(chunk);
    let sum = 0;
    let at = 0;
    // Both are in order of their numbers, so one walk finds what they share.
    if (entry) {
      const { terms, length } = entry;
      for (const { id, weight, idf } of added) {
        while (at < terms.length && (terms[at] ?? 0) < id) at += 2;
        if (terms[at] === id) sum += weight * bm25With(idf, terms[at + 1] ?? 0, length, totals);
      }
    }
    return {
      chunk,
      score: (ORIGINAL_SHARE * score) / Math.max(1, questionTerms) + (1 - ORIGINAL_SHARE) * sum,
    };
  });
  return scored.toSorted((a, b) => b.score - a.score || a.chunk - b.chunk);
}
