import type { CountTokens } from '../../platform/text/token-count.ts';

/** A piece that is never split further. The lower its `rank`, the better it is to split before it. */
export interface Piece {
  from: number;
  to: number;
  tokens: number;
  rank: number;
}

const AFTER_BLANK_LINE = 1;
const ANY_LINE = 2;
const IN_A_LINE = 4;
const SPACES_THAT_COUNT = 40;

/** The tokenizer takes quadratic time for text without spaces, so runs are limited to this length. */
const LONGEST_RUN = 2_000;

/** Characters per allowed token: a longer line is split without counting it first. */
const LONG_LINE = 10;

/** Exact up to `LONGEST_RUN` characters; beyond that, the sum over the parts. */
export function countIn(text: string, from: number, to: number, count: CountTokens): number {
  if (to - from <= LONGEST_RUN) return count(text.slice(from, to));
  let tokens = 0;
  for (let at = from; at < to;) {
    const end = cutBefore(text, at, Math.min(to, at + LONGEST_RUN), to);
    tokens += count(text.slice(at, end));
    at = end;
  }
  return tokens;
}

/** For text that barely fits, the larger of the counts with and without trailing blanks, which are dropped later. */
export function countPiece(text: string, from: number, to: number, max: number, count: CountTokens): number {
  const tokens = countIn(text, from, to, count);
  if (tokens > max || tokens < max - 1) return tokens;
  const end = from + text.slice(from, to).trimEnd().length;
  return Math.max(tokens, countIn(text, from, end, count));
}

/** The end of the last line, or else of the last word, before `limit`. Never within a character. */
function cutBefore(text: string, from: number, limit: number, end: number): number {
  if (limit >= end) return end;
  // A slice: `lastIndexOf` on the whole text could search back to its start.
  const window = text.slice(from, limit);
  const line = window.lastIndexOf('\n') + 1;
  // Not between blank lines: together they are one token.
  if (line > window.length / 2 && !/[\r\n]/.test(text.charAt(from + line))) return from + line;
  const space = window.lastIndexOf(' ');
  if (space > window.length / 2) return from + space;
  const code = text.charCodeAt(limit);
  return code >= 0xdc00 && code <= 0xdfff ? limit - 1 : limit;
}

/** Lines, each with the blank ones after it. A line with more than `max` tokens is split. */
export function* splitLines(
  text: string,
  block: { from: number; to: number },
  max: number,
  count: CountTokens,
): Generator<Piece> {
  let afterBlank = true;
  for (let from = block.from; from < block.to;) {
    const end = text.indexOf('\n', from);
    const lineEnd = end < 0 || end >= block.to ? block.to : end + 1;
    const to = skipBlankLines(text, lineEnd, block.to);
    const rank =
      from === block.from ? 0 : (afterBlank ? AFTER_BLANK_LINE : ANY_LINE) + indentation(text, from);
    const tokens = lineEnd - from > max * LONG_LINE ? max + 1 : countPiece(text, from, to, max, count);
    if (tokens <= max) yield { from, to, tokens, rank };
    else yield* splitLine(text, { from, to }, rank, max, count);
    afterBlank = to > lineEnd;
    from = to;
  }
}

/** A rank below 1 that grows with the indentation: splits at deeper lines are nearly always worse. */
function indentation(text: string, from: number): number {
  let spaces = 0;
  while (spaces < SPACES_THAT_COUNT && (text[from + spaces] === ' ' || text[from + spaces] === '\t'))
    spaces++;
  return spaces / (SPACES_THAT_COUNT + 1);
}

export function skipBlankLines(text: string, from: number, to: number): number {
  let after = from;
  for (let at = from; at < to; at++) {
    const character = text[at];
    if (character === '\n') after = at + 1;
    else if (character !== ' ' && character !== '\t' && character !== '\r') return after;
  }
  return to;
}

/** Splits at sentences, or else at words, or else anywhere. */
function* splitLine(
  text: string,
  line: { from: number; to: number },
  rank: number,
  max: number,
  count: CountTokens,
): Generator<Piece> {
  for (let from = line.from; from < line.to;) {
    // Four characters per token suit most text; otherwise the length is halved until it fits.
    let to = Math.min(line.to, from + max * 4);
    let tokens = Number.POSITIVE_INFINITY;
    for (;;) {
      to = betterCut(text, from, to, line.to);
      tokens = countPiece(text, from, to, max, count);
      if (tokens <= max || to - from <= 2) break;
      to = from + Math.max(1, Math.floor((to - from) / 2));
    }
    yield { from, to, tokens, rank: from === line.from ? rank : IN_A_LINE };
    from = to;
  }
}

const sentenceEnd = /[.!?…]["')\]]*\s|[。！？]/g;

function betterCut(text: string, from: number, limit: number, end: number): number {
  if (limit >= end) return end;
  const half = from + Math.floor((limit - from) / 2);
  const last = [...text.slice(half, limit).matchAll(sentenceEnd)].at(-1);
  if (last) return half + last.index + last[0].length;
  const cut = cutBefore(text, from, limit, end);
  return cut > from ? cut : Math.min(end, from + 2);
}
