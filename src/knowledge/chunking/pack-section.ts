import type { CountTokens } from '../../platform/text/token-count.ts';
import type { Block, Section } from './section.ts';
import { countIn, countPiece, type Piece, splitLines } from './split-lines.ts';

export interface ChunkSettings {
  maxTokens: number;
  overlapTokens: number;
}

/** A chunk by offsets, including the overlap with the previous one. */
export interface Packed {
  from: number;
  to: number;
  tokens: number;
}

/** Text rarely has more characters per token, so a longer block is split without counting its tokens. */
const MOST_CHARACTERS = 8;

/** How much a token count may differ from the sum over its parts, since tokens can span part boundaries. */
const MARGIN = 4;
/** Longer text without spaces would take too long to count as a whole. */
const COUNTED_WHOLE = 16_000;

/** Packs a section into as few chunks as fit, split at the best places of its structure. */
export function* packSection(
  text: string,
  section: Section,
  { maxTokens, overlapTokens }: ChunkSettings,
  count: CountTokens,
): Generator<Packed> {
  // An overlap of more than half a chunk would repeat most of the text.
  const overlap = section.overlaps ? Math.min(overlapTokens, Math.floor(maxTokens / 2)) : 0;
  let held: Piece[] = [];
  let heldTokens = 0;
  let lead: Piece | null = null;
  const release = (pieces: readonly Piece[]): Packed | null => {
    const first = pieces[0];
    const last = pieces.at(-1);
    if (!first || !last) return null;
    const tokens = pieces.reduce((sum, piece) => sum + piece.tokens, lead?.tokens ?? 0);
    return { from: lead?.from ?? first.from, to: last.to, tokens };
  };

  const fits = (piece: Piece): boolean => {
    const sum = heldTokens + piece.tokens + (lead?.tokens ?? 0);
    if (sum > maxTokens || sum <= maxTokens - MARGIN) return sum <= maxTokens;
    const from = lead?.from ?? held[0]?.from ?? piece.from;
    return piece.to - from > COUNTED_WHOLE || count(text.slice(from, piece.to).trimEnd()) <= maxTokens;
  };

  for (const piece of piecesOf(text, section.blocks, maxTokens, count)) {
    while (!fits(piece)) {
      if (held.length === 0) {
        lead = null;
        break;
      }
      const at = chooseCut(text, held, piece);
      const released = held.slice(0, at);
      const packed = release(released);
      if (packed) yield packed;
      held = held.slice(at);
      heldTokens = held.reduce((sum, { tokens }) => sum + tokens, 0);
      lead = overlap > 0 ? tailOf(text, released, overlap, count) : null;
    }
    held.push(piece);
    heldTokens += piece.tokens;
  }
  const packed = release(held);
  if (packed) yield packed;
}

function* piecesOf(text: string, blocks: Iterable<Block>, max: number, count: CountTokens): Generator<Piece> {
  for (const block of blocks) {
    const { from, to, parts } = block;
    const tokens = to - from <= max * MOST_CHARACTERS ? countPiece(text, from, to, max, count) : max + 1;
    if (tokens <= max) yield { from, to, tokens, rank: 0 };
    else if (parts) yield* piecesOf(text, parts(from, to), max, count);
    else yield* splitLines(text, block, max, count);
  }
}

/**
 * How many of the held pieces to release: up to the structurally best split in the second half. Ties are broken by a
 * hash of the text there, so that after an edit further up, the later splits stay where they were.
 */
function chooseCut(text: string, held: readonly Piece[], next: Piece): number {
  const total = held.reduce((sum, { tokens }) => sum + tokens, 0);
  let before = 0;
  let best = { at: held.length, rank: next.rank, mark: markOf(text, next) };
  for (const [index, piece] of held.entries()) {
    if (index > 0 && before * 2 >= total) {
      const mark = markOf(text, piece);
      if (piece.rank < best.rank || (piece.rank === best.rank && mark < best.mark)) {
        best = { at: index, rank: piece.rank, mark };
      }
    }
    before += piece.tokens;
  }
  return best.at;
}

const MARKED_CHARACTERS = 64;

/** FNV-1a hash of the first characters. */
function markOf(text: string, { from, to }: Piece): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < Math.min(to, from + MARKED_CHARACTERS); at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}

/** The overlap for the next chunk: the last lines that fit, or else the last sentences or words. Never all of it. */
function tailOf(text: string, pieces: readonly Piece[], max: number, count: CountTokens): Piece | null {
  const start = pieces[0]?.from ?? 0;
  const to = pieces.at(-1)?.to ?? 0;
  const tokens = pieces.reduce((sum, piece) => sum + piece.tokens, 0);
  // Estimated from the average token density, so that the first guess usually fits.
  const length = Math.floor((max * (to - start)) / Math.max(1, tokens));
  const from = Math.max(start + 1, to - length);
  const window = text.slice(from, to);
  for (const starts of [lineStarts, sentenceStarts, wordStarts]) {
    for (const { index } of window.matchAll(starts)) {
      const own = countIn(window, index, window.length, count);
      if (own <= max) return own > 0 ? { from: from + index, to, tokens: own, rank: 0 } : null;
    }
  }
  return null;
}

const lineStarts = /(?<=\n)[^\n]*\S/g;
const sentenceStarts = /(?<=[.!?…]["')\]]*\s|[。！？])\S/g;
const wordStarts = /(?<=\s)\S/g;
