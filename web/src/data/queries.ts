import {
  notifyManager,
  QueryClient,
  useMutation,
  useQuery,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useState } from 'react';
import type { Input, Output, UnaryName } from '../../../src/contract/api.ts';
import { ZooError } from '../../../src/contract/errors.ts';
import { whenFollowed } from './connection.ts';
import { call } from './hub.ts';
import { markStale } from './mark-stale.ts';
import { readSession } from './session.ts';
import { useWorkspaceId } from './workspace.ts';

// Before the next event: a button that is clicked twice is disabled by the first click.
notifyManager.setScheduler(queueMicrotask);

/** Answers of the hub are final; only a hub that cannot be reached is asked again. */
const isTransient = (error: unknown): boolean => !(error instanceof ZooError);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The event feed invalidates stale queries, so nothing is polled.
      staleTime: Infinity,
      refetchOnWindowFocus: false,
      retry: (failures, error) => isTransient(error) && failures < 2,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

/** An answer of the hub, kept up to date by the event feed. */
export function useHubQuery<N extends UnaryName>(
  name: N,
  input: Input<N>,
  { enabled = true }: { enabled?: boolean } = {},
): UseQueryResult<Output<N>> {
  const workspace = useWorkspaceId();
  return useQuery<Output<N>>({
    queryKey: [name, workspace, input],
    queryFn: async ({ signal }) => {
      await whenFollowed();
      return call(name, input, signal);
    },
    enabled,
  });
}

/** The last value that was there: what a list shows until the answer for its new input has come. */
export function useKept<V>(value: V | undefined): V | undefined {
  const [kept, setKept] = useState(value);
  if (value !== undefined && value !== kept) setKept(() => value);
  return value ?? kept;
}

/** A change through the hub. The event feed tells every window of it, this one included. */
export function useHubMutation<N extends UnaryName>(name: N) {
  return useMutation<Output<N>, Error, Input<N>>({ mutationFn: (input) => call(name, input) });
}

/** Marks answers of these operations as stale; those on screen are read again at once. */
export function invalidate(names: readonly UnaryName[]): void {
  const stale = new Set<unknown>(names);
  void markStale(queryClient, ({ queryKey }) => stale.has(queryKey[0]));
}

export function invalidateAll(): Promise<void> {
  return readSession().token === null && !readSession().open ? Promise.resolve() : markStale(queryClient);
}
