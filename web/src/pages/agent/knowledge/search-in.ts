/** The filter of a search within an agent's sources; none for all of them. */
export function searchIn(sources: readonly string[] | null): { filters?: { source: string[] } } {
  return sources === null ? {} : { filters: { source: [...sources] } };
}
