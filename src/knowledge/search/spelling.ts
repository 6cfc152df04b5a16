import type { IndexConnection, IndexRow } from '../index/index-connection.ts';
import { termsOfWord } from './text-terms.ts';

export interface KnownTerm {
  term: string;
  id: number;
  /** A word that is indexed under it. */
  word: string;
  /** The number of chunks that contain it. */
  chunks: number;
}

/** Short words have too many neighbours. */
const LEAST_LENGTH = 4;
const LONG = 9;
/** Limits the visibility checks for suggestions. */
const MOST_TRIED = 8;

/**
 * Corrects an unknown term: prefers the nearest one, then the one that keeps the most consonants, unless
 * it is much rarer. The first letter is usually right, or swapped with the second, so only that part of the vocabulary
 * is searched. Stems and written words are both compared: a missing letter may change the stem.
 */
export function correctTerm(
  connection: IndexConnection,
  unknown: { term: string; word: string },
  mayBeMeant: (term: string) => boolean,
): KnownTerm | null {
  const { term: stem, word } = unknown;
  if (word.length < LEAST_LENGTH || !isWord(word)) return null;
  const shortest = Math.min(stem.length, word.length) - 2;
  const longest = Math.max(stem.length, word.length) + 2;
  const found: { known: KnownTerm; errors: number; odds: number }[] = [];
  for (const [from, to] of rangesOf(stem)) {
    for (const row of connection.all(
      'SELECT id, term, word, chunks FROM term WHERE term >= ? AND term < ? AND chunks > 0 AND length(term) BETWEEN ? AND ?',
      from,
      to,
      shortest,
      longest,
    )) {
      const known = knownOf(row);
      const errors = Math.min(errorsIn(word, known.word), errorsIn(stem, known.term));
      if (errors < Infinity) found.push({ known, errors, odds: oddsOf(word, known) });
    }
  }
  const nearest = found.toSorted((a, b) => a.errors - b.errors || b.odds - a.odds);
  return nearest.slice(0, MOST_TRIED).find(({ known }) => mayBeMeant(known.term))?.known ?? null;
}

const isWord = (text: string): boolean => /^\p{L}+$/u.test(text);

function rangesOf(word: string): [string, string][] {
  const [first = '', second = ''] = word;
  const range = (prefix: string): [string, string] => [prefix, `${prefix}\u{10ffff}`];
  return first === second ? [range(first)] : [range(first), range(second + first)];
}

/** The number of typing errors between two words; infinite for unlikely ones. */
function errorsIn(typed: string, known: string): number {
  if (typed.length < LEAST_LENGTH || !isWord(known)) return Infinity;
  const limit = typed.length >= LONG ? 2 : 1;
  const errors = editDistance(typed, known, limit);
  if (errors > limit) return Infinity;
  if (isSwapped(typed, known)) return errors;
  // In a word of four letters, only a missing one can be corrected.
  if (typed.length === LEAST_LENGTH && known.length !== LEAST_LENGTH + 1) return Infinity;
  if (typed[0] !== known[0]) return Infinity;
  const [ours, theirs] = [consonantsOf(typed), consonantsOf(known)];
  const most = Math.max(ours.length, theirs.length);
  return editDistance(ours, theirs, most) * 2 < most || ours === theirs ? errors : Infinity;
}

/** A lost consonant outweighs a frequency ten times as high: rare words are often typos themselves. */
function oddsOf(typed: string, { word, chunks }: KnownTerm): number {
  const lost = isSwapped(typed, word)
    ? 0
    : editDistance(consonantsOf(typed), consonantsOf(word), typed.length);
  return Math.log10(chunks) - lost;
}

/** The consonants, by which words are recognised; in other scripts, all letters. */
const consonantsOf = (word: string): string => word.replace(/[aeiouy]/g, '');

function isSwapped(a: string, b: string): boolean {
  const at = [...a].findIndex((letter, place) => letter !== b[place]);
  return (
    a.length === b.length &&
    at >= 0 &&
    a.slice(0, at) + (a[at + 1] ?? '') + (a[at] ?? '') + a.slice(at + 2) === b
  );
}

const HASH = /^[0-9a-f]{7,64}$/;
const SHORTEST_HASH = 7;
const LONGEST_SHORT_HASH = 12;
const MOST_HASHES = 3;

/** Hashes may be abbreviated: finds those that begin like this one, or that this one begins with. */
export function sameHashes(
  connection: IndexConnection,
  typed: string,
  mayBeMeant: (term: string) => boolean,
): KnownTerm[] {
  if (!HASH.test(typed)) return [];
  const shorter = Array.from({ length: LONGEST_SHORT_HASH - SHORTEST_HASH + 1 }, (_, more) =>
    typed.slice(0, SHORTEST_HASH + more),
  );
  return connection
    .all(
      `SELECT id, term, word, chunks FROM term WHERE chunks > 0
       AND ((term > ? AND term < ?) OR term IN (SELECT value FROM json_each(?))) ORDER BY length(term) DESC LIMIT 50`,
      typed,
      `${typed}g`,
      JSON.stringify(shorter),
    )
    .map(knownOf)
    .filter(({ term }) => HASH.test(term) && mayBeMeant(term))
    .slice(0, MOST_HASHES);
}

const SHORTEST_PART = 3;
const SHORTEST_WHOLE = 7;

/** Splits two joined words, such as `cardgateway`; prefers the pair whose rarer word is the most frequent. */
export function splitWord(
  connection: IndexConnection,
  word: string,
  mayBeMeant: (term: string) => boolean,
): KnownTerm[] {
  if (word.length < SHORTEST_WHOLE || !/^[a-z]{1,64}$/.test(word)) return [];
  const find = (text: string): KnownTerm[] =>
    connection
      .all(
        'SELECT id, term, word, chunks FROM term WHERE term = ? AND chunks > 0',
        termsOfWord(text)[0] ?? text,
      )
      .map((row) => ({ ...knownOf(row), word: text }));
  const pairs = Array.from({ length: word.length - 2 * SHORTEST_PART + 1 }, (_, at) => {
    const place = SHORTEST_PART + at;
    return [...find(word.slice(0, place)), ...find(word.slice(place))];
  }).filter((pair) => pair.length === 2);
  const rarest = (pair: readonly KnownTerm[]) => Math.min(...pair.map(({ chunks }) => chunks));
  return (
    pairs
      .toSorted((a, b) => rarest(b) - rarest(a))
      .find((pair) => pair.every(({ term }) => mayBeMeant(term))) ?? []
  );
}

const knownOf = (row: IndexRow): KnownTerm => ({
  term: String(row.term),
  id: Number(row.id),
  word: String(row.word),
  chunks: Number(row.chunks),
});

/** Damerau-Levenshtein distance, or `limit + 1` if it is higher. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > limit) return limit + 1;
    before = last;
    last = row;
  }
  return Math.min(last[b.length] ?? 0, limit + 1);
}
