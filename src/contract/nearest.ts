import { distance } from 'fastest-levenshtein';

/** Longer input is not a mistyped name, and comparing it would take too long. */
const LONGEST_NAME = 200;

/** The candidate that a mistyped name most likely means, if any is close enough to suggest. */
export function nearest(name: string, candidates: Iterable<string>): string | null {
  if (name.length > LONGEST_NAME) return null;
  const wanted = name.toLowerCase();
  let best: string | null = null;
  let least = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    const found = distance(wanted, candidate.toLowerCase());
    // A name that differs in case alone is worth a hint, the same name is not.
    if (found < least && candidate !== name) {
      least = found;
      best = candidate;
    }
  }
  return best;
}
