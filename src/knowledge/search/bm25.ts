import type { ForwardEntry } from '../index/forward-index.ts';
import type { Postings } from '../index/postings.ts';

/** Textbook Okapi BM25, with the usual constants. */
const K1 = 1.2;
const B = 0.75;
const K3 = 8;

/** The id of a term in the index, with its weight in a question. */
export interface TermWeight {
  id: number;
  weight: number;
}

/** Inverse document frequency; above zero even for a term that every passage has. */
export const idfOf = (chunksWithTerm: number, chunks: number): number =>
  Math.log(1 + (chunks - Math.min(chunksWithTerm, chunks) + 0.5) / (chunksWithTerm + 0.5));

/** The weight of a word that a question repeats. */
export const repetitionWeight = (times: number): number => (times * (K3 + 1)) / (times + K3);

/** The score that a term of weight 1 adds to a passage of this length that contains it `count` times. */
export const termScore =
  (averageLength: number) =>
  (count: number, length: number): number =>
    ((K1 + 1) * count) / (count + K1 * (1 - B + (B * length) / averageLength));

/** One score for each entry; zero where it has none of the terms. The weights include the idf. */
export function scorePostings(
  { first, places, scores: added, size }: Postings,
  terms: readonly TermWeight[],
): Float64Array {
  const scores = new Float64Array(size);
  for (const { id, weight } of terms) {
    const end = first[id + 1] ?? 0;
    for (let at = first[id] ?? end; at < end; at++) {
      const place = places[at] ?? 0;
      scores[place] = (scores[place] ?? 0) + weight * (added[at] ?? 0);
    }
  }
  return scores;
}

/** Weights by term id, all zero between calls: a typed array is many times faster than a map here. */
let weights = new Float64Array(1024);

/** The same for entries without an inverted index. */
export function scoreEntries(
  entries: readonly ForwardEntry[],
  terms: readonly TermWeight[],
  averageLength: number,
): Float64Array {
  let last = 0;
  for (const { id } of terms) last = Math.max(last, id);
  if (weights.length <= last) weights = new Float64Array(last * 2);
  for (const { id, weight } of terms) weights[id] = (weights[id] ?? 0) + weight;
  const scores = new Float64Array(entries.length);
  for (const [at, entry] of entries.entries()) {
    scores[at] = scoreEntry(entry, last, K1 * (1 - B + (B * entry.length) / averageLength));
  }
  for (const { id } of terms) weights[id] = 0;
  return scores;
}

function scoreEntry({ terms }: ForwardEntry, last: number, norm: number): number {
  let score = 0;
  for (let at = 0; at < terms.length; at += 2) {
    const id = terms[at] ?? 0;
    // Terms are sorted by id.
    if (id > last) break;
    const weight = weights[id] ?? 0;
    if (weight === 0) continue;
    const count = terms[at + 1] ?? 0;
    score += (weight * (K1 + 1) * count) / (count + norm);
  }
  return score;
}
