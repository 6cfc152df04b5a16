/** Milliseconds until a retry, from a header in seconds or as a date. */
export function parseRetryAfter(header: string | null | undefined): number | null {
  if (header == null) return null;
  const seconds = Number(header);
  const wait = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1_000;
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}
