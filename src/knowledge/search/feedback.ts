import type { ForwardEntry } from '../index/forward-index.ts';
import type { TermWeight } from './bm25.ts';
import { leastOfBest } from './least-of-best.ts';

/** Relevance feedback (RM3): adds to a question the words that its best passages have in common. */

export const FEEDBACK_CHUNKS = 5;
const FEEDBACK_TERMS = 80;
/** The share of the weight that added words get; the words of the question keep the rest. */
export const FEEDBACK_SHARE = 0.4;
/** A passage that is this much below the best one counts 1/e as much. Scores grow with the length of a question. */
const temperature = (bestScore: number): number => Math.max(3, bestScore / 10);

/** Shorter questions name one thing, from which added words would distract. Stop words count. */
export const LEAST_WORDS = 9;

/**
 * The words to add, with weights that have the given share of the sum of the question's weights.
 * @param question weights without idf
 * @param best the best passages with their scores, best first
 */
export function feedbackTerms(
  question: readonly TermWeight[],
  best: readonly { entry: ForwardEntry; score: number }[],
  recallIdfs: (ids: readonly number[]) => ReadonlyMap<number, number>,
): TermWeight[] {
  const likely = termLikelihoods(best);
  const ids = [...likely.keys()];
  const idfs = recallIdfs(ids);
  const values = Float64Array.from(ids, (id) => (likely.get(id) ?? 0) * (idfs.get(id) ?? 0));
  const least = leastOfBest(values, FEEDBACK_TERMS);
  const chosen: { id: number; value: number; weight: number }[] = [];
  for (const [at, id] of ids.entries()) {
    const value = values[at] ?? 0;
    if (value >= least) chosen.push({ id, value, weight: likely.get(id) ?? 0 });
  }
  const added = chosen.toSorted((a, b) => b.value - a.value || a.id - b.id).slice(0, FEEDBACK_TERMS);
  const sum = added.reduce((total, { weight }) => total + weight, 0);
  const length = question.reduce((total, { weight }) => total + weight, 0);
  return added.map(({ id, weight }) => ({ id, weight: (FEEDBACK_SHARE * length * weight) / sum }));
}

function termLikelihoods(best: readonly { entry: ForwardEntry; score: number }[]): Map<number, number> {
  const top = best[0]?.score ?? 0;
  const likely = new Map<number, number>();
  for (const { entry, score } of best) {
    const share = Math.exp((score - top) / temperature(top)) / Math.max(1, entry.length);
    for (let at = 0; at + 1 < entry.terms.length; at += 2) {
      const id = entry.terms[at] ?? 0;
      likely.set(id, (likely.get(id) ?? 0) + share * (entry.terms[at + 1] ?? 0));
    }
  }
  return likely;
}
