/** Reciprocal rank fusion with weights: two orders become one, whatever their scores mean. */

/**
 * Below the 60 that is usual for two equals: with that, a place far down in both orders counts more than the first in
 * one, so that even a little weight for a weak order turns the other one around.
 */
const K = 20;

export interface Ranking<T> {
  order: readonly T[];
  weight: number;
}

/** What is in none of the better places of either order comes last; ties go to the first order. */
export function fuseRankings<T>(rankings: readonly Ranking<T>[]): { item: T; score: number }[] {
  const scores = new Map<T, number>();
  for (const { order, weight } of rankings) {
    let at = 0;
    for (const item of order) scores.set(item, (scores.get(item) ?? 0) + (weight * (K + 1)) / (K + ++at));
  }
  return Array.from(scores, ([item, score]) => ({ item, score })).toSorted((a, b) => b.score - a.score);
}
