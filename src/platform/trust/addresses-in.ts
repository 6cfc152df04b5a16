/** The hosts of the web addresses among the settings of a script, with their ports where they name one. */
export function hostsIn(settings: unknown): string[] {
  if (typeof settings === 'string') return hostOf(settings);
  if (typeof settings !== 'object' || settings === null) return [];
  const values: unknown[] = Object.values(settings);
  return [...new Set(values.flatMap(hostsIn))];
}

function hostOf(text: string): string[] {
  // A variable in the place of the host says nothing before it is filled in.
  if (!/^https?:\/\/[^/$]+/i.test(text)) return [];
  const url = URL.canParse(text) ? new URL(text) : null;
  return url ? [url.host] : [];
}
