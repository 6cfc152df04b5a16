import { countIn, type ForwardEntry } from '../index/forward-index.ts';

/** Textbook Okapi BM25, with the usual constants. */
const K1 = 1.2;
const B = 0.75;
const K3 = 8;

/** A term by its number in the index, with its weight in a question. */
export interface TermWeight {
  id: number;
  weight: number;
}

/** Inverse document frequency; above zero even for a term that every passage has. */
export const idfOf = (chunksWithTerm: number, chunks: number): number =>
  Math.log(1 + (chunks - Math.min(chunksWithTerm, chunks) + 0.5) / (chunksWithTerm + 0.5));

/** How much a word counts that a question repeats. */
export const repetitionWeight = (times: number): number => (times * (K3 + 1)) / (times + K3);

/** Up to here, terms are looked up one by one; above, each entry is read through once. */
const FEW_TERMS = 8;

/** One score for each entry; zero where it has none of the terms. The weights include the idf. */
export function scoreEntries(
  entries: readonly ForwardEntry[],
  terms: readonly TermWeight[],
  averageLength: number,
): Float64Array {
  const scores = new Float64Array(entries.length);
  const last = terms.length <= FEW_TERMS ? null : setWeights(terms);
  for (let at = 0; at < entries.length; at++) {
    const entry = entries[at];
    if (!entry) continue;
    const norm = K1 * (1 - B + (B * entry.length) / averageLength);
    const score = last === null ? scoreByTerm(entry, terms, norm) : scoreByEntry(entry, last, norm);
    scores[at] = score * (K1 + 1);
  }
  if (last !== null) for (const { id } of terms) weights[id] = 0;
  return scores;
}

function scoreByTerm(entry: ForwardEntry, terms: readonly TermWeight[], norm: number): number {
  let score = 0;
  for (let next = 0; next < terms.length; next++) {
    const term = terms[next];
    const count = term ? countIn(entry, term.id) : 0;
    if (term && count > 0) score += (term.weight * count) / (count + norm);
  }
  return score;
}

/** Weights by term number, all zero between two calls: a typed array is many times faster than a map here. */
let weights = new Float64Array(1024);

function setWeights(terms: readonly TermWeight[]): number {
  let last = 0;
  for (const { id } of terms) last = Math.max(last, id);
  if (weights.length <= last) weights = new Float64Array(last * 2);
  for (const { id, weight } of terms) weights[id] = (weights[id] ?? 0) + weight;
  return last;
}

function scoreByEntry({ terms }: ForwardEntry, last: number, norm: number): number {
  let score = 0;
  for (let at = 0; at < terms.length; at += 2) {
    const id = terms[at] ?? 0;
    // Terms are in order of their numbers.
    if (id > last) break;
    const weight = weights[id] ?? 0;
    if (weight === 0) continue;
    const count = terms[at + 1] ?? 0;
    score += (weight * count) / (count + norm);
  }
  return score;
}
