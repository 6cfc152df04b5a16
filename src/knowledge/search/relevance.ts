import { countIn, type ForwardEntry } from '../index/forward-index.ts';
import type { PlannedTerm } from './query-plan.ts';

/** Which of the question's terms a chunk has. */
export function matchedTerms(terms: readonly PlannedTerm[], entry: ForwardEntry): PlannedTerm[] {
  return terms.filter(({ id }) => id !== null && countIn(entry, id) > 0);
}

/** Whether a chunk has any of them. */
export const hasTerm = (terms: readonly PlannedTerm[], entry: ForwardEntry): boolean =>
  terms.some(({ id }) => id !== null && countIn(entry, id) > 0);

/** A passage with as much in common with a long question as this many of its words is what was asked for. */
const ENOUGH_TERMS = 5;

/** What a passage has to say that says all of it. */
export function enoughOf(terms: readonly PlannedTerm[]): number {
  return terms
    .map(({ idf }) => idf)
    .toSorted((a, b) => b - a)
    .slice(0, ENOUGH_TERMS)
    .reduce((sum, idf) => sum + idf, 0);
}

/**
 * How much of what a question says a passage also says, from 0 to 1: rare words say more than frequent ones, and
 * words that nobody has say the most. It depends on the question and the passage and not on what else was found,
 * so it means the same from query to query.
 */
export function coverage(
  terms: readonly PlannedTerm[],
  matched: readonly PlannedTerm[],
  enough = enoughOf(terms),
): number {
  // Only words that every text has: those were required in a row, and it has them.
  if (enough === 0) return 1;
  const found = matched.reduce((sum, { idf, certainty }) => sum + idf * certainty, 0);
  return Math.min(1, found / enough);
}

/** What words and meaning say together; meaning counts as far as its encoder is trusted. */
export function combinedRelevance(words: number, meaning: number, trust: number): number {
  return 1 - (1 - words) * (1 - trust * meaning);
}
