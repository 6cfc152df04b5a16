/** Counts tokens as o200k does. */
export type CountTokens = (text: string) => number;

const KEPT_COUNTS = 5_000;
const KEPT_PIECES = 100_000;
/** Longer ones are hardly ever there twice: base64, minified code. */
const KEPT_LENGTH = 40;

let counter: Promise<CountTokens> | undefined;
let passing: Promise<CountTokens> | undefined;

/** For texts that recur from call to call: counts are kept. The tokenizer is loaded with the first, and once. */
export function loadTokenCounter(): Promise<CountTokens> {
  return (counter ??= createCounter());
}

async function createCounter(): Promise<CountTokens> {
  const count = await loadPassingTokenCounter();
  const counts = new Map<string, number>();
  return (text) => {
    const known = counts.get(text);
    if (known !== undefined) return known;
    if (counts.size >= KEPT_COUNTS) counts.clear();
    const tokens = count(text);
    counts.set(text, tokens);
    return tokens;
  };
}

/** For pieces of large texts: a count that was kept under a piece would keep the whole text. */
export function loadPassingTokenCounter(): Promise<CountTokens> {
  return (passing ??= createPassingTokenCounter());
}

/** One that has not counted anything yet. */
export async function createPassingTokenCounter(): Promise<CountTokens> {
  const { countTokens, setMergeCacheSize } = await import('gpt-tokenizer/encoding/o200k_base');
  const { O200K_TOKEN_SPLIT_REGEX: pieces } = await import('gpt-tokenizer/encodingParams/constants');
  // A text may quote a special token such as <|endoftext|>; there it is plain text.
  const plain = { disallowedSpecial: new Set<string>() };
  // What it remembers by itself takes long to keep in order, and holds on to the texts that the pieces were cut from.
  setMergeCacheSize(0);
  const kept = createKeptCounts((piece) => countTokens(piece, plain));
  return (text) => {
    let tokens = 0;
    // No token reaches across two pieces: most are words, and the same ones come again and again.
    for (const piece of text.match(pieces) ?? []) tokens += kept(piece);
    return tokens;
  };
}

/** Remembers in two generations, so that what is asked for often outlives what was asked for once. */
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
    // A slice of a large text would keep all of it in memory.
    recent.set(piece.length < 13 ? piece : Buffer.from(piece).toString(), tokens);
    return tokens;
  };
}
