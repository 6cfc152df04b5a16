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

/** Short words have many others beside them, and codes mean what they say. */
const LEAST_LENGTH = 4;
const LONG = 9;
/** Of what a caller may not see, nothing is offered; after so many it is not asked for any more. */
const MOST_TRIED = 8;

/**
 * The term of the collection that was meant by one that is not in it: the nearest, then the one that keeps the most
 * consonants, then the most frequent. People get the first letter right, or swap it with the second, so only that part
 * of the vocabulary is looked through. Both the stems and the words as they are written are compared: a missing letter
 * may well give another stem.
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
  const found: { known: KnownTerm; errors: number; lost: number }[] = [];
  for (const [from, to] of rangesOf(stem)) {
    for (const row of connection.all(
      'SELECT id, term, word, chunks FROM term WHERE term >= ? AND term < ? AND chunks > 0 AND length(term) BETWEEN ? AND ?',
      from,
      to,
      shortest,
      longest,
    )) {
      const known = {
        term: String(row.term),
        id: Number(row.id),
        word: String(row.word),
        chunks: Number(row.chunks),
      };
      const errors = Math.min(errorsIn(word, known.word), errorsIn(stem, known.term));
      if (errors < Infinity) found.push({ known, errors, lost: lostConsonants(word, known.word) });
    }
  }
  const nearest = found.toSorted(
    (a, b) => a.errors - b.errors || a.lost - b.lost || b.known.chunks - a.known.chunks,
  );
  return nearest.slice(0, MOST_TRIED).find(({ known }) => mayBeMeant(known.term))?.known ?? null;
}

const isWord = (text: string): boolean => /^\p{L}+$/u.test(text);

function rangesOf(word: string): [string, string][] {
  const [first = '', second = ''] = word;
  const range = (prefix: string): [string, string] => [prefix, `${prefix}\u{10ffff}`];
  return first === second ? [range(first)] : [range(first), range(second + first)];
}

/** How many typing errors make the one of the other, or infinitely many where nobody would make them. */
function errorsIn(typed: string, known: string): number {
  if (typed.length < LEAST_LENGTH || !isWord(known)) return Infinity;
  const limit = typed.length >= LONG ? 2 : 1;
  const errors = editDistance(typed, known, limit);
  if (errors > limit) return Infinity;
  if (isSwapped(typed, known)) return errors;
  // Of four letters one that is wrong, or too many, leaves too little to go by.
  if (typed.length === LEAST_LENGTH && known.length !== LEAST_LENGTH + 1) return Infinity;
  if (typed[0] !== known[0]) return Infinity;
  const [ours, theirs] = [consonantsOf(typed), consonantsOf(known)];
  const most = Math.max(ours.length, theirs.length);
  return editDistance(ours, theirs, most) * 2 < most || ours === theirs ? errors : Infinity;
}

const lostConsonants = (typed: string, known: string): number =>
  editDistance(consonantsOf(typed), consonantsOf(known), typed.length);

/** What words are recognised by; in other scripts that is every letter. */
const consonantsOf = (word: string): string => word.replace(/[aeiouy]/g, '');

function isSwapped(a: string, b: string): boolean {
  const at = [...a].findIndex((letter, place) => letter !== b[place]);
  return (
    a.length === b.length &&
    at >= 0 &&
    a.slice(0, at) + (a[at + 1] ?? '') + (a[at] ?? '') + a.slice(at + 2) === b
  );
}
