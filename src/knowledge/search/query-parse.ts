import { fold, isUnspacedText, sequencesOf, termsOfWord, wordsOf } from './text-terms.ts';
import { isStopTerm } from './stop-words.ts';

/** One word of a question, and the terms that it is looked for by. */
export interface QueryWord {
  text: string;
  /** A compound has its parts, then its whole. */
  terms: string[];
  compound: boolean;
  /** Written in quotation marks: it means what it says, and is not taken for another. */
  quoted: boolean;
}

export interface Phrases {
  required: string[];
  excluded: string[];
}

/** A question, understood. Whatever was typed, it can be searched for. */
export interface ParsedQuery {
  words: QueryWord[];
  /** Terms in a row that must all be there: words with AND or a plus. */
  required: string[][];
  /** Terms in a row that must not be there. */
  excluded: string[][];
  /** What was in quotation marks, and has to be there, or not, as it is written. */
  phrases: Phrases;
  /** What is to be understood by meaning: the question without its operators and exclusions. */
  plain: string;
}

/** Words after these are too many to be a question; it is a document that somebody has pasted. */
const MAX_WORDS = 200;
const MAX_TERMS = 400;
/** Each is looked for in every passage, so that many more would keep everybody else waiting. */
const MAX_DEMANDS = 32;

type Piece = { text: string; quoted: boolean; sign: '' | '+' | '-' };

/**
 * Reads `"exact phrase"`, `-not`, `+must`, `one AND two`, `OR` and `NOT`. Operators without anything to work on, and
 * quotation marks without an end, are what people type while they think: they are left out.
 */
export function parseQuery(text: string): ParsedQuery {
  const pieces = applyOperators(piecesOf(text));
  const positive = pieces.filter(({ sign }) => sign !== '-');
  // Nothing but exclusions asks for nothing: then it is the words themselves.
  const wanted = positive.some(({ text }) => hasWords(text))
    ? positive
    : pieces.map((piece): Piece => ({ ...piece, sign: '' }));
  const read = dropRepeated(
    wanted
      .flatMap(({ text, quoted }) => wordsOf(text).map((word) => ({ word, quoted })))
      .slice(0, MAX_WORDS)
      .map(({ word, quoted }) => readWord(word, quoted))
      .filter(({ terms }) => terms.length > 0),
  );
  let room = MAX_TERMS;
  const telling = read
    .map((word) => ({ ...word, terms: word.terms.filter((term) => !isStopTerm(term)) }))
    .filter(({ terms }) => terms.length > 0 && (room -= terms.length) >= 0);
  const required = wanted
    .filter(({ quoted, sign }) => !quoted && sign === '+')
    .flatMap(({ text }) => rowsOf(text));
  const exact = wanted.filter(({ quoted }) => quoted).map(({ text }) => text);
  const left = wanted === positive ? pieces.filter(({ sign }) => sign === '-') : [];
  const plain = wanted.map(({ text }) => text).join(' ');
  return {
    words: telling,
    // Words that say nothing alone are looked for as they stand: "to be or not to be".
    required:
      required.length === 0 && exact.length === 0 && telling.length === 0
        ? demands(rowsOf(plain))
        : demands(required),
    excluded: demands(left.filter(({ quoted }) => !quoted).flatMap(({ text }) => rowsOf(text))),
    phrases: {
      required: demands(exact.filter(hasWords)),
      excluded: demands(left.filter(({ quoted, text }) => quoted && hasWords(text)).map(({ text }) => text)),
    },
    plain,
  };
}

/** Each once. */
function demands<T extends string | string[]>(all: readonly T[]): T[] {
  const different = new Map(all.map((one) => [typeof one === 'string' ? fold(one) : one.join(' '), one]));
  return [...different.values()].slice(0, MAX_DEMANDS);
}

/** Of a very long row its beginning. */
const rowsOf = (text: string): string[][] => sequencesOf(text).map((row) => row.slice(0, MAX_WORDS));

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

/** `-v` and `--dry-run` are options that are asked about; `-draft` is something not to find. */
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

function readWord(text: string, quoted: boolean): QueryWord {
  const terms = [...new Set(termsOfWord(text))].slice(0, MAX_WORDS);
  if (isUnspacedText(text)) {
    // Single characters are only asked for alone: in a longer word they would find anything.
    const pairs = terms.filter((term) => [...term].length > 1);
    return { text, terms: pairs.length > 0 ? pairs : terms, compound: false, quoted };
  }
  return { text, terms, compound: terms.length > 1, quoted };
}

function dropRepeated(words: readonly QueryWord[]): QueryWord[] {
  const seen = new Set<string>();
  return words.filter(({ text }) => {
    const key = fold(text);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
