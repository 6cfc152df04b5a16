import { phrase } from './match-expression.ts';
import { fold, isUnspacedText, sequencesOf, termsOfWord, wordsOf } from './text-terms.ts';

/** Where one text ends and the next begins; no phrase goes across. */
export const TEXT_BREAK = '\u{e000}';

const gap = `[^\\p{L}\\p{N}${TEXT_BREAK}]`;

/**
 * A phrase as it has to stand there: its words as they are written, whatever their case and accents. A space of it is
 * any run of spaces and signs, since texts have line breaks and markup where nobody types them.
 */
export function phraseExpression(text: string): RegExp | null {
  const words = text
    .normalize('NFKC')
    .split(/\s+/)
    .map((word) => foldPlaced(word).text.replace(/[,.;:!?]+$/, ''))
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return null;
  const before = /^[\p{L}\p{N}]/u.test(first) && !isUnspacedText(first[0] ?? '') ? '(?<![\\p{L}\\p{N}])' : '';
  const after = /[\p{L}\p{N}]$/u.test(last) && !isUnspacedText(last.at(-1) ?? '') ? '(?![\\p{L}\\p{N}])' : '';
  const body = words
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    .reduce((joined, word) => {
      const touching = isUnspacedText(joined.at(-1) ?? '') || isUnspacedText(word[0] ?? '');
      return `${joined}${gap}${touching ? '*' : '+'}${word}`;
    });
  return new RegExp(`${before}${body}${after}`, 'gu');
}

/** A text as phrases are compared with it; `places` says where each of its characters was, if they have moved. */
export function foldPlaced(text: string): { text: string; places: readonly number[] | null } {
  if (/^[\0-\x7f]*$/.test(text)) return { text: text.toLowerCase(), places: null };
  let folded = '';
  const places: number[] = [];
  let at = 0;
  for (const character of text) {
    const plain = /['’]/.test(character) ? "'" : fold(character.normalize('NFKC'));
    for (let unit = 0; unit < plain.length; unit++) places.push(at);
    folded += plain;
    at += character.length;
  }
  places.push(at);
  return { text: folded, places };
}

/** Where the phrase stands in the text. */
export function placesOfPhrase(text: string, expression: RegExp): { start: number; end: number }[] {
  const { text: folded, places } = foldPlaced(text);
  return [...folded.matchAll(expression)].map(({ index, 0: found }) => {
    const [start, end] = [index, index + found.length];
    return places === null ? { start, end } : { start: places[start] ?? 0, end: places[end] ?? text.length };
  });
}

/**
 * What FTS5 finds at least where the phrase stands: its words near one another, in any form and order. Beside a
 * compound its whole is indexed too, so words that follow one another in a text may not do so in the index.
 */
export function narrowingOf(text: string): string[] {
  const words = wordsOf(text);
  const near: string[] = [];
  const alone: string[] = [];
  for (const word of words) {
    const terms = termsOfWord(word);
    const [only] = terms;
    if (isUnspacedText(word)) alone.push(...sequencesOf(word).map(phrase));
    else if (terms.length > 1) alone.push(`(${compoundForms(terms).map(phrase).join(' OR ')})`);
    else if (only !== undefined) near.push(phrase([only]));
  }
  const different = [...new Set(near)];
  const together =
    different.length > 1 ? `NEAR(${different.join(' ')}, ${words.length * 6 + 8})` : different[0];
  return [...(together === undefined ? [] : [together]), ...new Set(alone)];
}

/** A compound is there with its first parts, or under a whole: the parts depend on capitals, which phrases do not. */
const compoundForms = (terms: readonly string[]): string[][] => [
  terms.slice(0, 2),
  ...terms.slice(-2).map((term) => [term]),
];
