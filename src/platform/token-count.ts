/** Counts tokens as o200k does. */
export type CountTokens = (text: string) => number;

const KEPT_COUNTS = 5_000;

let counter: Promise<CountTokens> | undefined;

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
export async function loadPassingTokenCounter(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  // A text may quote a special token such as <|endoftext|>; there it is plain text.
  const plain = { disallowedSpecial: new Set<string>() };
  return (text) => countTokens(text, plain);
}
