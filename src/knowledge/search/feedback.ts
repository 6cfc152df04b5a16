import type { ForwardEntry } from '../index/forward-index.ts';
import type { TermWeight } from './bm25.ts';

/** Relevance feedback (RM3): adds to a question the words that its best passages have in common. */

export const FEEDBACK_CHUNKS = 5;
const FEEDBACK_TERMS = 80;
/** The share of the added words. */
const FEEDBACK_SHARE = 0.4;
/** A passage that is this much below the best one counts 1/e as much. Scores grow with the length of a question. */
const temperature = (bestScore: number): number => Math.max(3, bestScore / 10);

/** Shorter questions name one thing, and added words lead away from it. Stop words count. */
export const LEAST_WORDS = 9;

interface Expansion {
  /** The question with the words that were added; its weights have the same sum as before. */
  terms: TermWeight[];
  added: TermWeight[];
}

/**
 * @param question weights without idf
 * @param best the best passages with their scores, best first
 */
export function expandQuestion(
  question: readonly TermWeight[],
  best: readonly { entry: ForwardEntry; score: number }[],
  idfOf: (ids: readonly number[]) => (id: number) => number,
): Expansion {
  const likely = termLikelihoods(best);
  const idf = idfOf([...likely.keys()]);
  const chosen = Array.from(likely, ([id, weight]) => ({ id, weight, value: weight * idf(id) }))
    .toSorted((a, b) => b.value - a.value || a.id - b.id)
    .slice(0, FEEDBACK_TERMS);
  const sum = chosen.reduce((total, { weight }) => total + weight, 0);
  const length = question.reduce((total, { weight }) => total + weight, 0);
  const added = chosen.map(({ id, weight }) => ({ id, weight: (FEEDBACK_SHARE * length * weight) / sum }));
  const own = question.map(({ id, weight }) => ({ id, weight: weight * (1 - FEEDBACK_SHARE) }));
  return { terms: [...own, ...added], added };
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
