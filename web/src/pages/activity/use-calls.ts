import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ToolCallRecord } from '../../../../src/contract/activity.ts';
import { call } from '../../data/hub.ts';
import { useWorkspaceId } from '../../data/workspace.ts';
import type { ActivitySearch } from './activity-search.ts';

const PAGE = 200;
/** Calls make no events: there are too many of them. */
const POLL_MS = 2000;

/** Where a page of calls begins: at the newest, or before a number. */
type PageStart = { before?: number };
type Pages = InfiniteData<ToolCallRecord[], PageStart>;
const newest: PageStart = {};

export interface Calls {
  /** Newest first; undefined until the first page is here. */
  calls: readonly ToolCallRecord[] | undefined;
  error: Error | null;
  /** Whether there may be earlier ones. */
  hasMore: boolean;
  loadMore: () => void;
}

/** Tool calls, updated live while the page is visible; earlier ones load on demand. */
export function useCalls({ agent, tool, client, failed }: ActivitySearch): Calls {
  const workspace = useWorkspaceId();
  const cache = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: ['listActivity', workspace, agent, tool, client, failed],
    queryFn: ({ pageParam }) => readCalls({ agent, tool, client, failed }, pageParam),
    initialPageParam: newest,
    getNextPageParam: (page): PageStart | undefined => {
      const last = page.at(-1);
      return page.length < PAGE || !last ? undefined : { before: last.seq };
    },
  });

  useEffect(() => {
    const key = ['listActivity', workspace, agent, tool, client, failed];
    const look = async (): Promise<void> => {
      const known = cache.getQueryData<Pages>(key);
      if (known === undefined || document.visibilityState !== 'visible') return;
      const after = known.pages[0]?.[0]?.seq ?? 0;
      const found = await readCalls({ agent, tool, client, failed }, { after });
      if (found.length > 0) cache.setQueryData<Pages>(key, (now) => now && withNewer(now, found, after));
    };
    // The shell reports an unreachable hub; the next poll may succeed.
    const timer = setInterval(() => void look().catch(() => undefined), POLL_MS);
    return () => clearInterval(timer);
  }, [cache, workspace, agent, tool, client, failed]);

  return {
    calls: query.data?.pages.flat(),
    error: query.error,
    hasMore: query.hasNextPage,
    loadMore: () => {
      if (!query.isFetchingNextPage) void query.fetchNextPage();
    },
  };
}

async function readCalls(
  { agent, tool, client, failed }: ActivitySearch,
  part: { after?: number; before?: number },
): Promise<ToolCallRecord[]> {
  const filter = {
    ...(agent === undefined ? {} : { agent }),
    ...(tool === undefined ? {} : { tool }),
    ...(client === undefined ? {} : { client }),
    ...(failed === undefined ? {} : { failed }),
  };
  return (await call('listActivity', { ...filter, ...part, limit: PAGE })).calls;
}

/** `found` is oldest first. Nothing is added twice if two looks overlap. */
function withNewer({ pages, pageParams }: Pages, found: readonly ToolCallRecord[], after: number): Pages {
  const [first = [], ...rest] = pages;
  if ((first[0]?.seq ?? 0) !== after) return { pages, pageParams };
  return { pages: [[...found.toReversed(), ...first], ...rest], pageParams };
}
