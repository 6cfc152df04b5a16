import { fold, isUnspacedText, sequencesOf, termsOfWord, wordsOf } from './text-terms.ts';

/**
 * A quoted phrase: its words as written, ignoring case and accents. Any spaces and punctuation
 * may separate two words, since texts have line breaks and markup there.
 */
export interface ExactPhrase {
  /** Folded, at least one. */
  words: readonly string[];
}

/** Separates two texts; no phrase crosses it. */
export const TEXT_BREAK = '\u{e000}';

export interface FoldedText {
  text: string;
  /** The original offset of each character; null if nothing moved. */
  places: readonly number[] | null;
}

export function exactPhrase(text: string): ExactPhrase | null {
  const words = text
    .normalize('NFKC')
    .split(/\s+/)
    .map((word) => foldPlaced(word).text.replace(/[,.;:!?]+$/, ''))
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  return words.length === 0 ? null : { words };
}

/** Folds a text for comparison with phrases. */
export function foldPlaced(text: string): FoldedText {
  if (/^[\0-\x7f]*$/.test(text)) return { text: text.toLowerCase(), places: null };
  let folded = '';
  const places: number[] = [];
  let at = 0;
  for (const character of text) {
    const plain = foldCharacter(character);
    for (let unit = 0; unit < plain.length; unit++) places.push(at);
    folded += plain;
    at += character.length;
  }
  places.push(at);
  return { text: folded, places };
}

const known = new Map<string, string>();

function foldCharacter(character: string): string {
  const found = known.get(character);
  if (found !== undefined) return found;
  const plain = /['’]/.test(character) ? "'" : fold(character.normalize('NFKC'));
  if (known.size < 10_000) known.set(character, plain);
  return plain;
}

export function hasPhrase({ text }: FoldedText, wanted: ExactPhrase): boolean {
  return nextPlace(text, wanted, 0) !== null;
}

/** The occurrences of the phrase, as offsets in the original text. */
export function placesOfPhrase(folded: FoldedText, wanted: ExactPhrase): { start: number; end: number }[] {
  const { text, places } = folded;
  const found: { start: number; end: number }[] = [];
  for (let place = nextPlace(text, wanted, 0); place; place = nextPlace(text, wanted, place.end)) {
    found.push(place);
  }
  if (places === null) return found;
  return found.map(({ start, end }) => ({ start: places[start] ?? 0, end: places[end] ?? 0 }));
}

function nextPlace(
  text: string,
  { words }: ExactPhrase,
  from: number,
): { start: number; end: number } | null {
  const [first = '', ...others] = words;
  for (let start = text.indexOf(first, from); start >= 0; start = text.indexOf(first, start + 1)) {
    if (!beginsAt(text, start)) continue;
    let end: number | null = start + first.length;
    for (const word of others) {
      end = endOfNext(text, word, end);
      if (end === null) break;
    }
    if (end !== null && endsAt(text, end)) return { start, end };
  }
  return null;
}

/** The end of the next word, if only spaces and punctuation come before it. */
function endOfNext(text: string, word: string, from: number): number | null {
  let at = from;
  while (at < text.length && !isWordAt(text, at) && text[at] !== TEXT_BREAK && !text.startsWith(word, at))
    at++;
  if (!text.startsWith(word, at)) return null;
  const apart = at > from || !isWordAt(text, at) || isUnspacedText(text.slice(at - 1, at + 1));
  return apart ? at + word.length : null;
}

const beginsAt = (text: string, at: number): boolean =>
  at === 0 || !isWordAt(text, at) || !isWordAt(text, at - 1) || isUnspacedText(text.slice(at - 1, at + 1));

const endsAt = (text: string, at: number): boolean =>
  at === text.length ||
  !isWordAt(text, at - 1) ||
  !isWordAt(text, at) ||
  isUnspacedText(text.slice(at - 1, at + 1));

const isWordAt = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  if (code < 128) return (code > 96 && code < 123) || (code > 47 && code < 58) || (code > 64 && code < 91);
  // A letter may be a surrogate pair, and this may be its second half.
  return /[\p{L}\p{N}\p{Cs}]/u.test(text[at] ?? '');
};

/** More words would not narrow it down further. */
const MOST_WORDS = 32;

/** A sequence of terms for FTS5. Everything is quoted, so nothing in it can be read as syntax. */
export const quotedTerms = (terms: readonly string[]): string =>
  `"${terms.map((term) => term.replaceAll('"', '""')).join(' ')}"`;

/**
 * FTS5 expressions that match a superset of the passages with the phrase: its words near one another, in any
 * form and order. Compounds are indexed next to their parts, so words that are adjacent in a text may be apart
 * in the index.
 */
export function narrowingOf(text: string): string[] {
  const words = wordsOf(text).slice(0, MOST_WORDS);
  const near: string[] = [];
  const alone: string[] = [];
  for (const word of words) {
    const terms = termsOfWord(word);
    const [only] = terms;
    if (isUnspacedText(word)) {
      alone.push(...sequencesOf(word).map((row) => quotedTerms(row.slice(0, MOST_WORDS))));
    } else if (terms.length > 1) alone.push(`(${compoundForms(terms).map(quotedTerms).join(' OR ')})`);
    else if (only !== undefined) near.push(quotedTerms([only]));
  }
  const different = [...new Set(near)];
  const together =
    different.length > 1 ? `NEAR(${different.join(' ')}, ${words.length * 6 + 8})` : different[0];
  return [...(together === undefined ? [] : [together]), ...new Set(alone)];
}

/**
 * Matches a compound by its parts or by its whole: the parts depend on capitals, which phrases ignore. Up to three of
 * the last terms are wholes, and the longest is that of the entire word.
 */
function compoundForms(terms: readonly string[]): string[][] {
  const whole = terms.slice(-3).reduce((longest, term) => (term.length > longest.length ? term : longest));
  return [terms.slice(0, Math.max(2, terms.length - 3)), [whole]];
}
