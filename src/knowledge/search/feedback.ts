import type { ScoredChunk } from './candidate.ts';
import type { ForwardEntry } from '../index/forward-index.ts';
import type { Totals } from '../index/totals.ts';

/**
 * Relevance feedback (RM3): what the best passages of a first search have in common is probably what was asked for,
 * so their terms are added to the question. Pure: counts come in.
 */

export interface ExpansionTerm {
  id: number;
  /** All of them sum up to one. */
  weight: number;
}

const FEEDBACK_CHUNKS = 10;
const FEEDBACK_TERMS = 20;
/** The share of the question itself: more than half, since whoever looks for one text has named it in it. */
const ORIGINAL_SHARE = 0.6;
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
  const places = new Map<number, number>();
  const weights: number[] = [];
  const top = best[0]?.score ?? 0;
  for (const { chunk, score } of best.slice(0, FEEDBACK_CHUNKS)) {
    const entry = entryOf(chunk);
    if (!entry) continue;
    const { terms } = entry;
    const likelihood = Math.exp((score - top) / TEMPERATURE);
    let sum = 0;
    for (let at = 1; at < terms.length; at += 2) sum += terms[at] ?? 0;
    for (let at = 0; at + 1 < terms.length; at += 2) {
      const id = terms[at] ?? 0;
      const weight = (likelihood * (terms[at + 1] ?? 0)) / sum;
      const place = places.get(id);
      if (place === undefined) {
        places.set(id, weights.length);
        weights.push(weight);
      } else weights[place] = (weights[place] ?? 0) + weight;
    }
  }
  const chosen: ExpansionTerm[] = [];
  for (const term of heaviestFirst([...places.keys()], weights)) {
    if (chosen.length >= FEEDBACK_TERMS) break;
    if (chunksWith(term.id) <= totals.chunks * MOST_CHUNKS) chosen.push(term);
  }
  const all = chosen.reduce((sum, { weight }) => sum + weight, 0);
  return chosen.map(({ id, weight }) => ({ id, weight: weight / all }));
}

/** Most are in one passage once and never looked at, so they are only put in order if those before do not do. */
function* heaviestFirst(ids: readonly number[], weights: readonly number[]): Generator<ExpansionTerm> {
  const least = new Float64Array(weights).toSorted().at(-FEEDBACK_TERMS * 3) ?? 0;
  const heavy: ExpansionTerm[] = [];
  const light: ExpansionTerm[] = [];
  for (let at = 0; at < ids.length; at++) {
    const [id = 0, weight = 0] = [ids[at], weights[at]];
    if (weight >= least) heavy.push({ id, weight });
  }
  yield* heavy.toSorted(byWeight);
  for (const [at, id] of ids.entries()) {
    const weight = weights[at] ?? 0;
    if (weight < least) light.push({ id, weight });
  }
  yield* light.toSorted(byWeight);
}

const byWeight = (a: ExpansionTerm, b: ExpansionTerm): number => b.weight - a.weight || a.id - b.id;

/** What a term adds to a passage's score, as FTS5 counts it. */
export function bm25Of(count: number, length: number, chunksWithTerm: number, totals: Totals): number {
  return bm25With(idfOf(chunksWithTerm, totals), count, length, totals);
}

export const idfOf = (chunksWithTerm: number, totals: Totals): number =>
  Math.max(1e-6, Math.log((totals.chunks - chunksWithTerm + 0.5) / (chunksWithTerm + 0.5)));

function bm25With(idf: number, count: number, length: number, totals: Totals): number {
  return (idf * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / totals.averageLength));
}

/** The candidates in a new order: by the question, and by what was added to it. */
export function rescore<T extends ScoredChunk>(
  candidates: readonly T[],
  questionTerms: number,
  expansion: readonly ExpansionTerm[],
  entryOf: (chunk: number) => ForwardEntry | undefined,
  chunksWith: (term: number) => number,
  totals: Totals,
): T[] {
  const added = expansion
    .map(({ id, weight }) => ({ id, weight, idf: idfOf(chunksWith(id), totals) }))
    .toSorted((a, b) => a.id - b.id);
  // As lists of numbers, since every candidate is held against all of them.
  const ids = Uint32Array.from(added, ({ id }) => id);
  const weights = Float64Array.from(added, ({ weight }) => weight);
  const idfs = Float64Array.from(added, ({ idf }) => idf);
  return candidates
    .map((candidate): T => {
      const entry = entryOf(candidate.chunk);
      const sum = entry ? scoreOf(entry, ids, weights, idfs, totals) : 0;
      const own = (ORIGINAL_SHARE * candidate.score) / Math.max(1, questionTerms);
      return { ...candidate, score: own + (1 - ORIGINAL_SHARE) * sum };
    })
    .toSorted((a, b) => b.score - a.score || a.chunk - b.chunk);
}

/** Both are in order of their numbers, so one walk finds what they share. */
function scoreOf(
  { terms, length }: ForwardEntry,
  ids: Uint32Array,
  weights: Float64Array,
  idfs: Float64Array,
  totals: Totals,
): number {
  const end = terms.length;
  let sum = 0;
  let at = 0;
  for (let next = 0; next < ids.length; next++) {
    const id = ids[next] ?? 0;
    while (at < end && (terms[at] ?? 0) < id) at += 2;
    if (at >= end) break;
    if (terms[at] !== id) continue;
    sum += (weights[next] ?? 0) * bm25With(idfs[next] ?? 0, terms[at + 1] ?? 0, length, totals);
  }
  return sum;
}
