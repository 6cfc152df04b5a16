import type { Query, QueryClient } from '@tanstack/react-query';

const waiting = new WeakSet<Query>();

/**
 * Marks answers as stale; those on screen are read again. A first answer that is still on its way may be older than the
 * change, and TanStack Query would take it as fresh: it is read again once it has arrived.
 */
export function markStale(
  client: QueryClient,
  predicate: (query: Query) => boolean = () => true,
): Promise<void> {
  for (const query of client.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' })) {
    if (query.state.data !== undefined || waiting.has(query)) continue;
    waiting.add(query);
    const again = (): void => {
      waiting.delete(query);
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    };
    query.promise?.then(again, again);
  }
  return client.invalidateQueries({ predicate });
}
