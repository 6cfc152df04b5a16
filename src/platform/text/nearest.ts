import { distance } from 'fastest-levenshtein';

/** The candidate that a mistyped name most likely means, if any is close enough to suggest. */
export function nearest(name: string, candidates: Iterable<string>): string | null {
  const wanted = name.toLowerCase();
  let best: string | null = null;
  let least = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    const found = distance(wanted, candidate.toLowerCase());
    if (found < least) {
      least = found;
      best = candidate;
    }
  }
  return best;
}
