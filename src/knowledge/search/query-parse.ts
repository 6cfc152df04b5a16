import { fold, isUnspacedText, sequencesOf, termsOfWord, wordsOf } from './text-terms.ts';
import { isStopTerm } from './stop-words.ts';

/** A word of a question with the terms to look up for it. */
export interface QueryWord {
  text: string;
  /** For a compound: its parts, then the whole. */
  terms: string[];
  compound: boolean;
  /** Written in quotation marks: never corrected. */
  quoted: boolean;
  /** How often it occurs in the question. */
  times: number;
}

/** Two neighbouring words of a question, as one: `rollback` for "roll back". */
export interface JoinedWord {
  term: string;
  /** The terms of the two words. */
  parts: readonly string[];
}

export interface Phrases {
  required: string[];
  excluded: string[];
}

/** A parsed question. Any text can be parsed. */
export interface ParsedQuery {
  words: QueryWord[];
  joined: JoinedWord[];
  /** The number of words, including stop words and repetitions. */
  length: number;
  /** Sequences of terms that must all occur: words with AND or a plus. */
  required: string[][];
  /** Sequences of terms that must not occur. */
  excluded: string[][];
  /** Phrases that must or must not occur word by word. */
  phrases: Phrases;
  /** Required and excluded words as written, for notes. */
  written: { required: string[]; excluded: string[] };
  /** The question only excludes words, so these are searched for instead. */
  onlyExcludes: boolean;
  /** The question without operators and exclusions, to be embedded. */
  plain: string;
}

const MAX_WORDS = 2_000;
const MAX_TERMS = 2_000;
/** Longer questions have other words that find the same passages. */
const MAX_JOINED_WORDS = 8;
/** Each is checked in every passage, so many of them would block other searches. */
const MAX_DEMANDS = 32;
/** A query with operators is short; longer text is prose, in which quotes and dashes are punctuation. */
const MAX_QUERY_WORDS = 16;
const MAX_WORDS_BESIDE_PHRASES = 5;

type Piece = { text: string; quoted: boolean; sign: '' | '+' | '-' };

/**
 * Understands `"exact phrase"`, `-not`, `+must`, `one AND two`, `OR` and `NOT`, in texts that look like a query.
 * Incomplete operators and quotation marks are ignored.
 */
export function parseQuery(text: string): ParsedQuery {
  return looksLikeQuery(text) ? parseOperators(text) : parseProse(text);
}

/** Parses a text literally: quotes, dashes and capitals are not operators. */
export function parseProse(text: string): ParsedQuery {
  const plain = withoutPositions(text.normalize('NFKC'));
  const words = readWords([{ text: plain, quoted: false, sign: '' }]);
  return {
    words,
    joined: joinedWords(plain),
    length: wordsOf(plain).length,
    required: words.length === 0 ? demands(rowsOf(plain)) : [],
    excluded: [],
    phrases: { required: [], excluded: [] },
    written: { required: [], excluded: [] },
    onlyExcludes: false,
    plain,
  };
}

export const hasOperators = ({ words, required, excluded, phrases }: ParsedQuery): boolean =>
  (required.length > 0 && words.length > 0) ||
  excluded.length > 0 ||
  phrases.required.length > 0 ||
  phrases.excluded.length > 0;

function looksLikeQuery(text: string): boolean {
  const line = text.normalize('NFKC').trim();
  if (line.split(/\s+/).length > MAX_QUERY_WORDS) return false;
  if (/[\n{}[\]=;]|["”»]\s*:|:\s*["“„«]/u.test(line)) return false;
  // In text that is all capitals, AND and NOT are ordinary words.
  if (!/\p{Ll}|\p{Lo}/u.test(line) && /\s/.test(line)) return false;
  const beside = line.replace(/["“”„«»][^"“”„«»]*["“”„«»]/gu, '"').trim();
  if (/[.?!,]$|[.?!,]\s/.test(beside)) return false;
  const words = beside.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  return !/(?<![+-])["“”„«»]/u.test(beside) || words <= MAX_WORDS_BESIDE_PHRASES;
}

/** Line and column numbers in stack traces and compiler output are rare, so they would outweigh names. */
function withoutPositions(text: string): string {
  return text
    .replace(/(?<=[\w)>\]]):\d+(?::\d+)?(?=[\s)\],;:'"]|$)/g, '')
    .replace(/\b(?:line|ln|col|column|char|position|offset):?\s+\d+\b/gi, ' ')
    .replace(/\(\d+(?:,\s?\d+)?\)/g, ' ')
    .replace(/\b0x[0-9a-f]+\b/gi, ' ');
}

function parseOperators(text: string): ParsedQuery {
  const pieces = applyOperators(piecesOf(text));
  const positive = pieces.filter(({ sign }) => sign !== '-');
  // A query that only excludes words searches for them instead.
  const wanted = positive.some(({ text }) => hasWords(text))
    ? positive
    : pieces.map((piece): Piece => ({ ...piece, sign: '' }));
  const words = readWords(wanted);
  const must = wanted.filter(({ quoted, sign }) => !quoted && sign === '+').map(({ text }) => text);
  const required = must.flatMap(rowsOf);
  const exact = wanted.filter(({ quoted }) => quoted).map(({ text }) => text);
  const left = wanted === positive ? pieces.filter(({ sign }) => sign === '-') : [];
  const plain = wanted.map(({ text }) => text).join(' ');
  return {
    words,
    joined: joinedWords(plain),
    length: wordsOf(plain).length,
    // Stop words alone are searched for as a sequence: "to be or not to be".
    required:
      required.length === 0 && exact.length === 0 && words.length === 0
        ? demands(rowsOf(plain))
        : demands(required),
    excluded: demands(left.filter(({ quoted }) => !quoted).flatMap(({ text }) => rowsOf(text))),
    phrases: {
      required: demands(exact.filter(hasWords)),
      excluded: demands(left.filter(({ quoted, text }) => quoted && hasWords(text)).map(({ text }) => text)),
    },
    written: { required: demands(must), excluded: demands(left.map(({ text }) => text)) },
    onlyExcludes: wanted !== positive && pieces.some(({ text }) => hasWords(text)),
    plain,
  };
}

/** The distinct words without stop words, with the number of occurrences. */
function readWords(pieces: readonly Piece[]): QueryWord[] {
  const words = new Map<string, QueryWord>();
  let room = MAX_TERMS;
  let left = MAX_WORDS;
  for (const { text, quoted } of pieces) {
    for (const word of wordsOf(text)) {
      if (left-- <= 0) break;
      const key = fold(word);
      const known = words.get(key);
      if (known) {
        known.times += 1;
        continue;
      }
      const found = readWord(word, quoted);
      const { length } = found?.terms ?? [];
      if (found && (room -= length) >= 0) words.set(key, found);
    }
  }
  return [...words.values()];
}

/** The second word may be a stop word, as in `log in`. The first may not: `is land` does not mean an island. */
function joinedWords(text: string): JoinedWord[] {
  const words = wordsOf(text);
  if (words.length > MAX_JOINED_WORDS) return [];
  const joined = new Map<string, JoinedWord>();
  for (const [at, second] of words.slice(1).entries()) {
    const first = words[at] ?? '';
    if (!isPlainWord(first) || !isPlainWord(second)) continue;
    const parts = [first, second].flatMap(termsOfWord);
    const [term = ''] = termsOfWord(fold(first + second));
    if (!isStopTerm(parts[0] ?? '') && !isStopTerm(term)) joined.set(term, { term, parts });
  }
  return [...joined.values()];
}

const isPlainWord = (word: string): boolean => /^[a-z]{2,}$/i.test(word);

/** Removes duplicates. */
function demands<T extends string | string[]>(all: readonly T[]): T[] {
  const different = new Map(all.map((one) => [typeof one === 'string' ? fold(one) : one.join(' '), one]));
  return [...different.values()].slice(0, MAX_DEMANDS);
}

const MAX_ROW = 200;
const rowsOf = (text: string): string[][] => sequencesOf(text).map((row) => row.slice(0, MAX_ROW));

const hasWords = (text: string): boolean => wordsOf(text).length > 0;

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  for (const match of text.normalize('NFKC').matchAll(/([+-]?)["“”„«»]([^"“”„«»]*)["“”„«»]|(\S+)/gu)) {
    const [, sign = '', phrase, word = ''] = match;
    if (phrase !== undefined) pieces.push({ text: phrase, quoted: true, sign: sign === '-' ? '-' : '' });
    else pieces.push(wordPiece(word.replace(/^([+-]?)["“”„«»]+/u, '$1')));
  }
  return pieces;
}

/** `-v` and `--dry-run` are command line options; `-draft` is an exclusion. */
function wordPiece(word: string): Piece {
  const signed = /^([+-])([\p{L}\p{N}_].+)$/u.exec(word);
  if (!signed || (signed[1] === '-' && /^-\d/.test(word))) return { text: word, quoted: false, sign: '' };
  return { text: signed[2] ?? '', quoted: false, sign: signed[1] === '-' ? '-' : '+' };
}

function applyOperators(pieces: readonly Piece[]): Piece[] {
  const result: Piece[] = [];
  for (const [at, piece] of pieces.entries()) {
    if (isOperator(piece)) continue;
    const [before, after] = [pieces[at - 1], pieces[at + 1]];
    if (piece.sign === '' && before && isOperator(before) && before.text === 'NOT') {
      result.push({ ...piece, sign: '-' });
      continue;
    }
    const joined =
      (isAnd(before) && pieces.slice(0, at - 1).some((other) => !isOperator(other))) ||
      (isAnd(after) && pieces.slice(at + 2).some((other) => !isOperator(other)));
    result.push(joined && piece.sign === '' ? { ...piece, sign: '+' } : piece);
  }
  return result;
}

const isOperator = ({ text, quoted }: Piece): boolean => !quoted && /^(?:AND|OR|NOT|&&|\|\|)$/.test(text);
const isAnd = (piece: Piece | undefined): boolean =>
  piece !== undefined && isOperator(piece) && (piece.text === 'AND' || piece.text === '&&');

/** Null for a stop word. */
function readWord(text: string, quoted: boolean): QueryWord | null {
  const found = termsOfWord(text);
  const [only] = found;
  if (found.length === 1 && only !== undefined && !isUnspacedText(text)) {
    return isStopTerm(only) ? null : { text, quoted, times: 1, compound: false, terms: [only] };
  }
  const terms = [...new Set(found)].slice(0, MAX_ROW);
  // Single characters are only looked up alone: in a longer word they would match anything.
  const pairs = isUnspacedText(text) ? terms.filter((term) => [...term].length > 1) : [];
  const telling = (pairs.length > 0 ? pairs : terms).filter((term) => !isStopTerm(term));
  const compound = terms.length > 1 && !isUnspacedText(text);
  return telling.length === 0 ? null : { text, quoted, times: 1, compound, terms: telling };
}
