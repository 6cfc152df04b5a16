import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { tempFolder } from '../../../../test/temp-folder.ts';
import { openSqlite } from '../../../platform/store/databases/index.ts';
import type { Link } from '../connection/link.ts';
import type { Upstream } from '../upstream.ts';
import { createDiscovery, type Discovery } from './discovery.ts';
import { createListStore } from './list-store.ts';
import { PATIENCE } from '../../../../test/patience.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const upstream: Upstream = {
  name: 'x',
  hash: 'x',
  owner: null,
  launch: { kind: 'http', secrets: [], url: 'http://127.0.0.1:1/mcp', headers: {} },
  shared: true,
  idleMs: 60_000,
  timeoutMs: 60_000,
  missing: [],
  pin: false,
};

function linkWith(tools: string[]): Link {
  return {
    era: 'legacy',
    title: null,
    pid: null,
    said: () => '',
    lists: async () => ({
      tools: tools.map((name) => ({ name, inputSchema: { type: 'object' } })),
      prompts: [],
      resources: [],
      templates: [],
    }),
    request: async () => ({}),
    complete: async () => [],
    watch: async () => undefined,
    closed: new Promise(() => undefined),
    close: async () => undefined,
  };
}

it('refreshes stale lists every day, not only once', async () => {
  await using folder = await tempFolder();
  const db = await openSqlite(join(folder.path, 'zoo.db'), { threads: false });
  let time = Date.now();
  const tools = ['day-0'];
  const look = vi.fn<() => Promise<void>>(() => discovery.refresh(upstream, linkWith([...tools])));
  const discovery: Discovery = createDiscovery({
    store: createListStore(db),
    now: () => time,
    look,
    onChanged: () => undefined,
    onError: () => undefined,
  });
  for (const day of [1, 2, 3, 4]) {
    await discovery.known([upstream], { wait: true });
    await vi.waitFor(
      () => expect(discovery.peek('x')?.lists.tools.at(-1)?.name).toBe(tools.at(-1)),
      PATIENCE,
    );
    expect(look).toHaveBeenCalledTimes(day);
    await Promise.all(look.mock.results.map(({ value }) => value));
    // Fresh lists are not read again.
    await discovery.known([upstream], { wait: true });
    expect(look).toHaveBeenCalledTimes(day);
    time += DAY_MS + 1;
    tools.push(`day-${day}`);
  }
  discovery.close();
  await db.close();
});
