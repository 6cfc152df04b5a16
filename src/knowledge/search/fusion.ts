/** Weighted reciprocal rank fusion. */

/**
 * Below the usual 60, at which a low rank in both orders outweighs the first rank in one: even a small weight
 * for a weak order would override the other.
 */
const K = 20;

export interface Ranking<T> {
  order: readonly T[];
  weight: number;
}

/** Ties go to the first order. */
export function fuseRankings<T>(rankings: readonly Ranking<T>[]): { item: T; score: number }[] {
  const scores = new Map<T, number>();
  for (const { order, weight } of rankings) {
    let at = 0;
    for (const item of order) scores.set(item, (scores.get(item) ?? 0) + (weight * (K + 1)) / (K + ++at));
  }
  return Array.from(scores, ([item, score]) => ({ item, score })).toSorted((a, b) => b.score - a.score);
}
