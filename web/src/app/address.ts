type Search = Readonly<Record<string, unknown>>;

/** The texts of an address that a page knows; empty and missing ones are left out. */
export function textsIn<K extends string>(search: Search, keys: readonly K[]): { [key in K]?: string };
export function textsIn(search: Search, keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    keys.flatMap((key) => {
      const value = search[key];
      // The router reads `?q=42` as a number.
      const text = typeof value === 'number' ? String(value) : value;
      return typeof text === 'string' && text !== '' ? [[key, text]] : [];
    }),
  );
}

/** One of a few words, or nothing. */
export function choiceIn<V extends string>(value: unknown, choices: readonly V[]): V | undefined {
  return choices.find((choice) => choice === value);
}
