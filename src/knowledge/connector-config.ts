/** The config of a source. It was validated when it was read; these functions only give the values their types. */
export type SourceEntry = Readonly<Record<string, unknown>>;

export function textIn(entry: SourceEntry, key: string): string | undefined {
  const value = entry[key];
  return typeof value === 'string' ? value : undefined;
}

export function textsIn(entry: SourceEntry, key: string): string[] {
  const value = entry[key];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

export function numberIn(entry: SourceEntry, key: string): number | undefined {
  const value = entry[key];
  return typeof value === 'number' ? value : undefined;
}

export function recordIn(entry: SourceEntry, key: string): Record<string, string> {
  const value = entry[key];
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => (typeof each === 'string' ? [[name, each]] : [])),
  );
}
