/**
 * Loads on first use and shares the result. A failed load is not cached: callers that were waiting get its error, and
 * the next call tries again.
 */
export function loadOnce<T>(load: () => Promise<T>): {
  get(): Promise<T>;
  started(): Promise<T> | undefined;
} {
  let loading: Promise<T> | undefined;
  return {
    get: () =>
      (loading ??= load().catch((error: unknown) => {
        loading = undefined;
        throw error;
      })),
    /** Undefined if it was never loaded or failed to load: then there is nothing to close. */
    started: () => loading,
  };
}
