import { editDistance } from './edit-distance.ts';
import type { IndexConnection } from './index-connection.ts';

export interface KnownTerm {
  term: string;
  id: number;
  /** A word that is indexed under it. */
  word: string;
  /** How many chunks have it. */
  chunks: number;
}

/**
 * Short words have other words beside them, so only two swapped letters are taken for an error there. Codes mean what
 * they say.
 */
const LEAST_LENGTH = 4;
const SHORT = 5;
const LONG = 9;

/**
 * The term of the collection that was meant by one that is not in it. People get the first letter right, or swap it
 * with the second, so only that part of the vocabulary is looked through.
 */
export function correctTerm(connection: IndexConnection, unknown: string): KnownTerm | null {
  if (unknown.length < LEAST_LENGTH || !/^\p{L}+$/u.test(unknown)) return null;
  const limit = unknown.length >= LONG ? 2 : 1;
  let best: KnownTerm | null = null;
  let least = limit + 1;
  for (const [from, to] of rangesOf(unknown)) {
    for (const row of connection.all(
      'SELECT id, term, word, chunks FROM term WHERE term >= ? AND term < ? AND chunks > 0 AND length(term) BETWEEN ? AND ?',
      from,
      to,
      unknown.length - limit,
      unknown.length + limit,
    )) {
      const term = String(row.term);
      if (unknown.length <= SHORT && !isSwapped(unknown, term)) continue;
      const distance = editDistance(unknown, term, limit);
      const chunks = Number(row.chunks);
      if (distance > limit || distance > least || (distance === least && best && chunks <= best.chunks))
        continue;
      least = distance;
      best = { term, id: Number(row.id), word: String(row.word), chunks };
    }
  }
  return best;
}

function rangesOf(word: string): [string, string][] {
  const [first = '', second = ''] = word;
  const range = (prefix: string): [string, string] => [prefix, `${prefix}\u{10ffff}`];
  return first === second ? [range(first)] : [range(first), range(second + first)];
}

function isSwapped(a: string, b: string): boolean {
  const at = [...a].findIndex((letter, place) => letter !== b[place]);
  return (
    a.length === b.length &&
    at >= 0 &&
    a.slice(0, at) + (a[at + 1] ?? '') + (a[at] ?? '') + a.slice(at + 2) === b
  );
}
