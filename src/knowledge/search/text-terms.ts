import { stemmer } from 'stemmer';
import { commonSpelling } from './spelling-variants.ts';
import { isStopTerm } from './stop-words.ts';

/**
 * Turns text into terms, in the same way for documents and questions.
 *
 * A plain word is one term: folded (case, accents, full width) and stemmed. A compound (`fooBar`, `foo_bar`,
 * `foo/bar.ts`, `v1.2.3`, `ORA-00942`) is its parts, and then the whole. Text without spaces between words
 * (Chinese, Japanese, Korean, Thai) is every two neighbouring characters, and then each alone.
 */

const asciiOnly = /^[\0-\x7f]*$/;
const asciiWord = /[A-Za-z0-9_]+(?:[./:@'-][A-Za-z0-9_]+)*(?:\+\+|#)?/g;
// Soft hyphens and joiners may occur within words, but are never typed in a query.
const anyWord =
  /\p{Extended_Pictographic}\ufe0f?|[\p{L}\p{M}\p{N}_\u00ad\u200c-\u200d\u2060]+(?:[./:@'’-][\p{L}\p{M}\p{N}_\u00ad\u200c-\u200d\u2060]+)*(?:\+\+|#)?/gu;

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;
const isUnspaced = new RegExp(unspaced.source, 'u');

const MAX_TERM = 64;
/** Minified code or base64 may be one very long word. */
const MAX_PARTS = 24;
const KEPT_WORDS = 200_000;

/** The words of a text as they are written. */
export function wordsOf(text: string): readonly string[] {
  return text.match(asciiOnly.test(text) ? asciiWord : anyWord) ?? [];
}

export interface PlacedWord {
  word: string;
  start: number;
}

export function* placedWordsOf(text: string): Generator<PlacedWord> {
  for (const match of text.matchAll(asciiOnly.test(text) ? asciiWord : anyWord)) {
    yield { word: match[0], start: match.index };
  }
}

const known = new Map<string, readonly string[]>();

/** The terms of one word of `wordsOf`, in order: the parts first, the whole last. */
export function termsOfWord(word: string): readonly string[] {
  const found = known.get(word);
  if (found) return found;
  if (known.size >= KEPT_WORDS) known.clear();
  const terms = analyseWord(word);
  // Copied, since a slice would keep the whole text in memory.
  known.set(word.length < 13 ? word : Buffer.from(word).toString(), terms);
  return terms;
}

export const termsOf = (text: string): string[] => wordsOf(text).flatMap(termsOfWord);

/**
 * The written form of a term: `payments` for `payment` in `paymentsQueue`.
 * @param alone whether it is the only term of the word
 */
export function writtenForm(word: string, term: string, alone = termsOfWord(word).length === 1): string {
  if (alone) return fold(word);
  const parts = word
    .normalize('NFKC')
    .split(/[./:@_-]+/)
    .flatMap(splitSegment);
  return parts.map(fold).find((part) => stem(part) === term) ?? term;
}

/**
 * The sequences of terms under which this text is indexed. A sequence ends after each run of text without
 * spaces, since its single characters are indexed next.
 */
export function sequencesOf(text: string): string[][] {
  const sequences: string[][] = [];
  let open: string[] = [];
  for (const word of wordsOf(text)) {
    const terms = termsOfWord(word);
    const clean = word.normalize('NFKC');
    if (!isUnspaced.test(clean)) {
      open.push(...terms);
      continue;
    }
    for (const piece of clean.split(new RegExp(`(${unspaced.source})`, 'u'))) {
      if (!isUnspaced.test(piece)) {
        open.push(...termsOf(piece));
        continue;
      }
      const pairs = pairsOf(piece);
      open.push(...(pairs.length > 0 ? pairs : [fold(piece)]));
      sequences.push(open);
      open = [];
    }
  }
  if (open.length > 0) sequences.push(open);
  return sequences;
}

/** Whether the word contains text that is written without spaces. */
export const isUnspacedText = (word: string): boolean => !asciiOnly.test(word) && isUnspaced.test(word);

/** Uncached variant; callers do their own caching. */
export function analyseWord(word: string): string[] {
  if (/^[a-z]+$/.test(word)) return [clip(stem(word))];
  // C++ and F# are words; the end of issue# is not.
  const signed = word.normalize('NFKC').replace(/(?<=..)(?:\+\+|#)$/, '');
  const clean = /['’]/.test(signed) ? signed.replace(/[^./:@_-]+/g, withoutApostrophes) : signed;
  if (isUnspaced.test(clean)) return mixed(clean);
  const segments = clean.split(/[./:@_-]+/).filter((segment) => segment !== '');
  const parts = segments.flatMap(splitSegment).slice(0, MAX_PARTS);
  const terms = parts.map((part) => clip(stem(fold(part)))).filter((term) => term !== '');
  const whole = wholeOf(clean);
  if (whole.length <= MAX_TERM && whole !== '' && !(terms.length === 1 && terms[0] === whole)) {
    terms.push(whole);
    if (/^v\d+\./.test(whole)) terms.push(whole.slice(1));
    // Files are more often searched by name than by path.
    const file = clean.includes('/') ? wholeOf(clean.slice(clean.lastIndexOf('/') + 1)) : '';
    if (file.includes('.')) terms.push(file);
  }
  return terms;
}

/** Ignores hyphens, underscores and capitals; other separators matter: `1.23` is not `12.3`. */
function wholeOf(word: string): string {
  const joined = fold(word.replace(/[-_]+/g, '')).replace(/^[./:@]+|[./:@]+$/g, '');
  return stem(joined);
}

/** Splits at capitals, and before numbers of three or more digits, as in error codes. */
function splitSegment(segment: string): string[] {
  // Most words; the patterns below take several times as long.
  if (/^[A-Za-z][a-z]*$/.test(segment)) return [segment];
  const plain = withoutApostrophes(segment);
  const parts = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(plain)
    ? (plain.match(/\p{Lu}+(?!\p{Ll})\p{N}*|\p{Lu}?[^\p{Lu}]+|\p{Lu}/gu) ?? [plain])
    : [plain];
  return parts.flatMap((part) => {
    const code = /^(\p{L}+)(\p{N}{3,})$/u.exec(part);
    return code ? [code[1] ?? '', code[2] ?? ''] : [part];
  });
}

/** Strips elided articles and suffixes (`l'eau`, `İstanbul'da`); `don't` and `o'clock` stay whole. */
function withoutApostrophes(segment: string): string {
  if (!/['’]/.test(segment)) return segment;
  return segment
    .replace(/^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|dell|nell|sull|dall|all|un)['’](?=\p{L}{3})/iu, '')
    .replace(/['’]s$|(?<=^\p{Lu}\p{L}{3,})(?<!n)['’]\p{Ll}{1,6}$/iu, '')
    .replace(/['’]/g, '');
}

function mixed(word: string): string[] {
  const terms: string[] = [];
  let at = 0;
  for (const match of word.matchAll(unspaced)) {
    if (match.index > at) terms.push(...termsOf(word.slice(at, match.index)));
    terms.push(...pairsOf(match[0]), ...fold(match[0]));
    at = match.index + match[0].length;
  }
  if (at < word.length) terms.push(...termsOf(word.slice(at)));
  return terms;
}

function pairsOf(run: string): string[] {
  const characters = [...fold(run)];
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  þ: 'th',
};

/** Without case and accents. */
export function fold(text: string): string {
  if (/^[a-z\d]*$/.test(text)) return text;
  const lower = text.toLowerCase().replace(/['’]/g, '');
  if (asciiOnly.test(lower)) return lower;
  return (
    lower
      .normalize('NFKD')
      // Accents, optional vowel signs of Hebrew and Arabic, and invisible characters.
      .replace(/[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u00ad\u200c\u2060]/g, '')
      .replace(/\u200d|\ufe0f/g, '')
      .normalize('NFC')
      .replace(/[ßæœøđðłıþ]/g, (letter) => letters[letter] ?? letter)
  );
}

/** Stop words are not stemmed, and DOS or HA are not stop words although their stems are those of do and has. */
function stem(word: string): string {
  if (!/^[a-z]{3,}$/.test(word) || isStopTerm(word)) return word;
  const stemmed = stemmer(commonSpelling(word));
  return word.length === 3 && isStopTerm(stemmed) ? word : stemmed;
}

const clip = (term: string): string => term.slice(0, MAX_TERM);
