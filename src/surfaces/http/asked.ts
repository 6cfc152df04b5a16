/** The parts of a request that guards check, for Node requests and web requests alike. */
export interface Asked {
  readonly method: string;
  /** Absolute, or the path and query alone. */
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  readonly signal: AbortSignal;
}

export function searchOf(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}

export const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/?]*/, '').replace(/\?.*$/s, '');
