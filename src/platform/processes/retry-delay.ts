/**
 * Exponential backoff: the pause before the next attempt after so many failures in a row. Our loops hold connections
 * and state between attempts, so a retry library (which wraps one promise) would not shorten them.
 */
export function retryDelay(failures: number, { first = 1000, last = 60_000 } = {}): number {
  return Math.min(first * 2 ** failures, last);
}
