/** Reciprocal rank fusion with weights: two orders become one, whatever their scores mean. */

const K = 60;

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
