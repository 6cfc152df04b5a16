/** Numbers that depend on a seed alone. */
export interface Random {
  /** From `low` up to `high`. */
  between(low: number, high: number): number;
  /** A whole number, both ends included. */
  count(low: number, high: number): number;
  pick<const T>(items: readonly [T, ...T[]]): T;
  chance(probability: number): boolean;
}

/** FNV-1a over the seed, then mulberry32: small, quick, and the same in every browser. */
export function createRandom(seed: string): Random {
  let state = 0x811c9dc5;
  for (const char of seed) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 0x01000193);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  // Seeds that differ in their last letter begin alike: the first numbers are thrown away.
  for (let round = 0; round < 8; round += 1) next();
  const count = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    between: (low, high) => low + next() * (high - low),
    count,
    pick: (items) => items[count(0, items.length - 1)] ?? items[0],
    chance: (probability) => next() < probability,
  };
}
