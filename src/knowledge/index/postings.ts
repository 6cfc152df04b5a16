import type { ForwardEntry } from './forward-index.ts';

/** An inverted index in memory: for each term, the places of the entries that have it, and how often. */
export interface Postings {
  /** By the number of a term, where its places begin; the next one's beginning is their end. */
  readonly first: Uint32Array;
  readonly places: Uint32Array;
  readonly counts: Uint32Array;
  /** Of the entries, by their places. */
  readonly lengths: Float64Array;
}

export function invertEntries(entries: readonly ForwardEntry[]): Postings {
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
  const counts = new Uint32Array(size);
  for (const [place, { terms }] of entries.entries()) {
    for (let at = 0; at < terms.length; at += 2) {
      const id = terms[at] ?? 0;
      const free = next[id] ?? 0;
      places[free] = place;
      counts[free] = terms[at + 1] ?? 0;
      next[id] = free + 1;
    }
  }
  return { first, places, counts, lengths: Float64Array.from(entries, ({ length }) => length) };
}

function increase(numbers: Uint32Array, at: number, by = 1): void {
  numbers[at] = (numbers[at] ?? 0) + by;
}
