/** Counts tokens as o200k does. Texts recur from call to call, so counts are kept. */
export type CountTokens = (text: string) => number;

const KEPT_COUNTS = 5_000;

let counter: Promise<CountTokens> | undefined;

/** The tokenizer is large: it is loaded when the first count is wanted, and once. */
export function loadTokenCounter(): Promise<CountTokens> {
  return (counter ??= createCounter());
}

async function createCounter(): Promise<CountTokens> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  const counts = new Map<string, number>();
  return (text) => {
    const known = counts.get(text);
    if (known !== undefined) return known;
    if (counts.size >= KEPT_COUNTS) counts.clear();
    // A prompt may quote a special token such as <|endoftext|>; there it is plain text.
    const tokens = countTokens(text, { disallowedSpecial: new Set() });
    counts.set(text, tokens);
    return tokens;
  };
}
