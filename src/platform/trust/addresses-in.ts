/** The hosts (and ports) of URLs in a script's settings. */
export function hostsIn(settings: unknown): string[] {
  if (typeof settings === 'string') return hostOf(settings);
  if (typeof settings !== 'object' || settings === null) return [];
  const values: unknown[] = Object.values(settings);
  return [...new Set(values.flatMap(hostsIn))];
}

function hostOf(text: string): string[] {
  // A variable in place of the host is unknown until it is filled in.
  if (!/^https?:\/\/[^/$]+/i.test(text)) return [];
  const url = URL.canParse(text) ? new URL(text) : null;
  return url ? [url.host] : [];
}
