import { loadOnce } from '../caching/load-once.ts';

/** Counts tokens with the o200k encoding. */
export type CountTokens = (text: string) => number;

const KEPT_COUNTS = 5_000;
/** Of all texts whose counts are cached. */
const KEPT_CHARACTERS = 20_000_000;
const KEPT_PIECES = 100_000;
/** Longer pieces hardly ever repeat: base64, minified code. */
const KEPT_LENGTH = 40;
/** Merging takes quadratic time, so longer pieces are counted in slices: at most one token too many for each. */
const SLICE = 512;
/** Of a piece longer than this, only its ends are counted: a megabyte without a space would block the hub for minutes. */
const LONGEST_COUNTED = 8 * SLICE;

const counter = loadOnce(createCounter);
const passing = loadOnce(createPassingTokenCounter);

/** For texts that recur from call to call: counts are cached by text. The tokenizer is loaded on first use. */
export const loadTokenCounter = (): Promise<CountTokens> => counter.get();

/** For slices of large texts: a cache keyed by slice would keep the whole text in memory. */
export const loadPassingTokenCounter = (): Promise<CountTokens> => passing.get();

async function createCounter(): Promise<CountTokens> {
  const count = await loadPassingTokenCounter();
  const counts = new Map<string, number>();
  let characters = 0;
  return (text) => {
    const known = counts.get(text);
    if (known !== undefined) return known;
    const tokens = count(text);
    characters += text.length;
    if (counts.size >= KEPT_COUNTS || characters > KEPT_CHARACTERS) {
      counts.clear();
      characters = text.length;
    }
    counts.set(text, tokens);
    return tokens;
  };
}

/** A counter with an empty cache. */
export async function createPassingTokenCounter(): Promise<CountTokens> {
  const { countTokens, setMergeCacheSize } = await import('gpt-tokenizer/encoding/o200k_base');
  const { O200K_TOKEN_SPLIT_REGEX: pieces } = await import('gpt-tokenizer/encodingParams/constants');
  // A text may quote a special token such as <|endoftext|>; there it is plain text.
  const plain = { disallowedSpecial: new Set<string>() };
  // The library's own cache is slow to evict, and its keys are slices that keep the whole text in memory.
  setMergeCacheSize(0);
  const kept = createKeptCounts((piece) => countPiece(piece, (slice) => countTokens(slice, plain)));
  return (text) => {
    let tokens = 0;
    // No token spans two pieces. Most pieces are words, and words repeat.
    for (const piece of text.match(pieces) ?? []) tokens += kept(piece);
    return tokens;
  };
}

function countPiece(piece: string, count: CountTokens): number {
  if (piece.length <= SLICE) return count(piece);
  if (piece.length > LONGEST_COUNTED) {
    const half = LONGEST_COUNTED / 2;
    const ends = countPiece(piece.slice(0, half), count) + countPiece(piece.slice(-half), count);
    return Math.round((ends * piece.length) / LONGEST_COUNTED);
  }
  let tokens = 0;
  for (let at = 0; at < piece.length; at += SLICE) tokens += count(piece.slice(at, at + SLICE));
  return tokens;
}

/** A cache of two generations, so that frequent pieces outlive those seen once. */
function createKeptCounts(count: CountTokens): CountTokens {
  let recent = new Map<string, number>();
  let older = new Map<string, number>();
  return (piece) => {
    const known = recent.get(piece);
    if (known !== undefined) return known;
    const tokens = older.get(piece) ?? count(piece);
    if (piece.length > KEPT_LENGTH) return tokens;
    if (recent.size >= KEPT_PIECES) {
      older = recent;
      recent = new Map();
    }
    // Copied: a slice would keep the large text in memory.
    recent.set(piece.length < 13 ? piece : Buffer.from(piece).toString(), tokens);
    return tokens;
  };
}
