/** Caches values until the next commit by any process. */
export function createVersionCache<T>(version: () => number) {
  const values = new Map<string, T>();
  let at = Number.NaN;
  return async (key: string, load: () => Promise<T>): Promise<T> => {
    const current = version();
    if (current !== at || values.size > 2_000) {
      values.clear();
      at = current;
    }
    const known = values.get(key);
    if (known !== undefined) return known;
    const value = await load();
    // A commit during the load belongs to the next version.
    if (version() === current) values.set(key, value);
    return value;
  };
}
