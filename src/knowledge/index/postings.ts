import type { ForwardEntry } from './forward-index.ts';

/** An in-memory inverted index: for each term, the positions of its entries and its score in each. */
export interface Postings {
  /** By term id: the start of its positions, which end where those of the next term start. */
  readonly first: Uint32Array;
  readonly places: Uint32Array;
  /** The score that a term of weight 1 adds to the entry. */
  readonly scores: Float64Array;
  /** The number of entries. */
  readonly size: number;
}

/** `scoreOf` takes the count of a term in an entry, and the length of that entry. */
export function invertEntries(
  entries: readonly ForwardEntry[],
  scoreOf: (count: number, length: number) => number,
): Postings {
  let last = 0;
  let size = 0;
  for (const { terms } of entries) {
    size += terms.length >> 1;
    last = Math.max(last, terms[terms.length - 2] ?? 0);
  }
  const first = new Uint32Array(last + 2);
  for (const { terms } of entries) {
    for (let at = 0; at < terms.length; at += 2) increase(first, (terms[at] ?? 0) + 1);
  }
  for (let id = 1; id < first.length; id++) increase(first, id, first[id - 1]);
  const next = first.slice();
  const places = new Uint32Array(size);
  const scores = new Float64Array(size);
  for (const [place, { terms, length }] of entries.entries()) {
    for (let at = 0; at < terms.length; at += 2) {
      const id = terms[at] ?? 0;
      const free = next[id] ?? 0;
      places[free] = place;
      scores[free] = scoreOf(terms[at + 1] ?? 0, length);
      next[id] = free + 1;
    }
  }
  return { first, places, scores, size: entries.length };
}

function increase(numbers: Uint32Array, at: number, by = 1): void {
  numbers[at] = (numbers[at] ?? 0) + by;
}
