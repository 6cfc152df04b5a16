import { type ExactPhrase, foldPlaced, placesOfPhrase } from './exact-phrase.ts';
import { frontMatterLength } from '../extraction/front-matter.ts';
import { isUnspacedText, placedWordsOf, termsOfWord } from './text-terms.ts';

const WINDOW = 260;
/** Outweighs any words, so that required phrases are shown. */
const PHRASE_WEIGHT = 1000;

interface Mark {
  start: number;
  end: number;
  term: string;
}

/** Phrases that are marked as a whole, and the other words of the question. */
export interface MarkedPhrases {
  wholes: readonly ExactPhrase[];
  others: ReadonlyMap<string, number>;
}

/**
 * The part of a passage that best matches the question, with matches marked by `**`; without a match, its beginning.
 * `weights` are those of the terms.
 */
export function snippetOf(
  body: string,
  weights: ReadonlyMap<string, number>,
  phrases?: MarkedPhrases,
): string {
  const inPhrases = phrases ? phraseMarks(body, phrases) : [];
  // Words of a phrase are marked alone only if the whole phrase is elsewhere, such as in the title.
  const found =
    phrases && inPhrases.length > 0
      ? [...inPhrases, ...marksIn(body, phrases.others).filter((mark) => !within(mark, inPhrases))].toSorted(
          (a, b) => a.start - b.start,
        )
      : marksIn(body, weights);
  // Front matter is shown only if nothing else matches.
  const length = frontMatterLength(body);
  const matter = length < body.length ? length : 0;
  const inText = matter === 0 ? found : found.filter((mark) => mark.start >= matter);
  const [marks, first] = inText.length > 0 || found.length === 0 ? [inText, matter] : [found, 0];
  const [from, to] = bestWindow(marks, weights);
  const start = from <= first ? first : wordStart(body, from);
  const end = Math.min(body.length, wordEnd(body, Math.max(to, start + WINDOW)));
  // Bold text in the document would look like a match; `**` in globs and powers is kept.
  const bold = body.includes('**') ? boldMarkers(body, start, end) : [];
  const plain = (begin: number, stop: number): string => sliceWithout(body, begin, stop, bold);
  let text = '';
  let at = start;
  for (let next = 0; next < marks.length; next++) {
    const mark = marks[next];
    if (!mark || mark.start < at || mark.end > end) continue;
    let { end: last } = mark;
    // The parts of a word become one mark: PAY-4021 rather than PAY and 4021.
    for (let part = marks[next + 1]; part && part.end <= end; part = marks[next + 1]) {
      if (part.start > last && !isJoined(body, last, part.start)) break;
      last = Math.max(last, part.end);
      next += 1;
    }
    text += `${plain(at, mark.start)}**${plain(mark.start, last)}**`;
    at = last;
  }
  text += plain(at, end);
  // Single spaces need no replacement.
  const flat = text.replace(/\s{2,}|[^\S ]/g, ' ').trim();
  return `${start > first ? '… ' : ''}${flat}${end < body.length ? ' …' : ''}`;
}

const isJoined = (body: string, from: number, to: number): boolean =>
  to - from === 1 && "./:@_'’-".includes(body[from] ?? ' ');

const within = ({ start, end }: Mark, marks: readonly Mark[]): boolean =>
  marks.some((mark) => start < mark.end && end > mark.start);

function phraseMarks(body: string, { wholes }: MarkedPhrases): Mark[] {
  const folded = foldPlaced(body);
  return wholes.flatMap((whole) =>
    placesOfPhrase(folded, whole).map((place) => ({ ...place, term: whole.words.join(' ') })),
  );
}

const BOLD = /(?<=^|[\s([{>_-])\*\*(?=[\p{L}\p{N}\x60"'[(])[^*\n]+(?<=\S)\*\*(?=$|[\s.,:;!?)\]}-])/gu;

/** The offsets of the `**` around bold text in this part of the body. */
const boldMarkers = (body: string, from: number, to: number): number[] =>
  [...body.slice(from, to).matchAll(BOLD)].flatMap(({ 0: whole, index }) => [
    from + index,
    from + index + whole.length - 2,
  ]);

function sliceWithout(body: string, from: number, to: number, markers: readonly number[]): string {
  let text = '';
  let at = from;
  for (const marker of markers) {
    if (marker < at || marker >= to) continue;
    text += body.slice(at, marker);
    at = marker + 2;
  }
  return text + body.slice(at, to);
}

function marksIn(body: string, weights: ReadonlyMap<string, number>): Mark[] {
  if (weights.size === 0) return [];
  const expression = expressionFor(weights);
  const quick = expression ? quickMarks(body, weights, expression) : [];
  if (quick.length > 0 || (expression && !hiddenWords.test(body))) return quick;
  return thoroughMarks(body, weights);
}

/** Other scripts, and parts of compounds such as `fooBar`: words that do not begin after a space or sign. */
const hiddenWords = /[^\0-\x7f]|[a-z\d][A-Z]|[A-Z]{2}[a-z]|[A-Za-z]\d{3}/;

/** Finds plain words with one regular expression, which is many times faster than reading every word. */
function quickMarks(body: string, weights: ReadonlyMap<string, number>, expression: RegExp): Mark[] {
  const marks: Mark[] = [];
  expression.lastIndex = 0;
  // matchAll would copy the expression for every text.
  for (let match = expression.exec(body); match; match = expression.exec(body)) {
    const [word] = match;
    const term = termsOfWord(word).findLast((part) => weights.has(part));
    if (term !== undefined) marks.push({ start: match.index, end: match.index + word.length, term });
  }
  return marks;
}

let latest: { weights: ReadonlyMap<string, number>; expression: RegExp | null } | undefined;

/** Cached, since all snippets of an answer have the same terms. Null if they are not plain words. */
function expressionFor(weights: ReadonlyMap<string, number>): RegExp | null {
  if (latest?.weights === weights) return latest.expression;
  // Prefixes of stems: the rest of a word may differ in its ending or spelling.
  const stems = [...new Set([...weights.keys()].map((term) => term.replace(/i$/, '').slice(0, 4)))];
  const simple = [...weights.keys()].every((term) => /^[a-z0-9]+$/.test(term));
  const expression =
    stems.length === 0 || !simple
      ? null
      : new RegExp(`(?<![A-Za-z0-9])(?:${stems.join('|')})[A-Za-z0-9]*`, 'gi');
  latest = { weights, expression };
  return expression;
}

function thoroughMarks(body: string, weights: ReadonlyMap<string, number>): Mark[] {
  const marks: Mark[] = [];
  for (const { word, start } of placedWordsOf(body)) {
    if (isUnspacedText(word)) {
      marks.push(...marksWithin(word, start, weights));
      continue;
    }
    const term = termsOfWord(word).findLast((part) => weights.has(part));
    if (term !== undefined) marks.push({ start, end: start + word.length, term });
  }
  return marks;
}

/** In text without spaces, only the matching characters are marked. */
function marksWithin(word: string, start: number, weights: ReadonlyMap<string, number>): Mark[] {
  const { text, places } = foldPlaced(word);
  const marks: Mark[] = [];
  for (const term of new Set(termsOfWord(word))) {
    if (!weights.has(term)) continue;
    for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
      const [from, to] = [places?.[at] ?? at, places?.[at + term.length] ?? at + term.length];
      marks.push({ start: start + from, end: start + to, term });
    }
  }
  return marks.toSorted((a, b) => a.start - b.start || b.end - a.end);
}

/** The first window with the highest total weight of distinct terms. */
function bestWindow(marks: readonly Mark[], weights: ReadonlyMap<string, number>): [number, number] {
  let best: [number, number] = [0, 0];
  let most = 0;
  const inside = new Map<string, number>();
  let sum = 0;
  let first = 0;
  for (const mark of marks) {
    const count = inside.get(mark.term) ?? 0;
    inside.set(mark.term, count + 1);
    if (count === 0) sum += weights.get(mark.term) ?? PHRASE_WEIGHT;
    for (
      let oldest = marks[first];
      oldest && mark.end - oldest.start > WINDOW * 0.8;
      oldest = marks[++first]
    ) {
      const left = (inside.get(oldest.term) ?? 1) - 1;
      inside.set(oldest.term, left);
      if (left === 0) sum -= weights.get(oldest.term) ?? PHRASE_WEIGHT;
    }
    if (sum > most + 1e-9) {
      most = sum;
      best = [Math.max(0, (marks[first]?.start ?? 0) - WINDOW * 0.15), mark.end];
    }
  }
  return best;
}

function wordStart(body: string, at: number): number {
  const space = body.slice(at, at + 40).search(/\s/);
  return space < 0 ? Math.floor(at) : Math.floor(at) + space + 1;
}

function wordEnd(body: string, at: number): number {
  if (at >= body.length) return body.length;
  const space = body.slice(at, at + 40).search(/\s/);
  return space < 0 ? Math.floor(at) : Math.floor(at) + space;
}
