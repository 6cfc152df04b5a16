import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../../test/temp-folder.ts';
import { FIXTURE, isAlive } from '../../../../test/upstreams/upstream-servers.ts';
import { createProcesses } from '../../../platform/processes/processes.ts';
import type { Upstream } from '../upstream.ts';
import { createServerPool, type ServerPoolOptions } from './server-pool.ts';

const never = new AbortController().signal;

function upstream(name: string, args: string[]): Upstream {
  return {
    name,
    hash: name,
    owner: null,
    launch: { kind: 'stdio', secrets: [], command: process.execPath, args, env: {}, cwd: process.cwd() },
    shared: true,
    idleMs: 60_000,
    timeoutMs: 60_000,
    missing: [],
    pin: false,
  };
}

async function stage(options: Partial<ServerPoolOptions> = {}) {
  const folder = await tempFolder();
  const processes = createProcesses(join(folder.path, 'records'), { PATH: process.env['PATH'] });
  const pool = createServerPool({
    processes,
    ready: Promise.resolve(),
    now: () => Date.now(),
    discovery: { peek: () => null, refresh: async () => undefined, noteAsks: () => undefined },
    auth: async () => null,
    admit: async () => undefined,
    onResourceUpdated: () => undefined,
    onState: () => undefined,
    ...options,
  });
  return {
    pool,
    async [Symbol.asyncDispose]() {
      await pool.close();
      await processes.settled();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const pidOf = (pool: ReturnType<typeof createServerPool>, server: Upstream): Promise<number | null> =>
  pool.send(server, '', never, async (link) => link.pid);

it('starts nothing after close, not even servers that were queued', async () => {
  await using staged = await stage();
  const { pool } = staged;
  const silent = ['-e', 'setInterval(() => undefined, 1000)'];
  const looks = Array.from({ length: 11 }, (_, n) => pool.lookInTurn(upstream(`silent-${n}`, silent)));
  const outcomes = Promise.allSettled(looks);
  await pool.close();
  // If a server had started after all, this would wait for it.
  expect((await outcomes).map(({ status }) => status)).toEqual(looks.map(() => 'rejected'));
});

it('makes a call on the new server when a restart interrupts the start of the old one', async () => {
  await using staged = await stage();
  const { pool } = staged;
  const server = upstream('fixture', [FIXTURE, 'legacy']);
  const pid = pidOf(pool, server);
  await pool.stop(() => true);
  expect(await pid).toSatisfy(isAlive);
});

it('retries a call that a restart left without a connection', async () => {
  await using staged = await stage();
  const { pool } = staged;
  const server = upstream('fixture', [FIXTURE, 'legacy']);
  const pids: (number | null)[] = [];
  await pool.send(server, '', never, async (link) => {
    pids.push(link.pid);
    if (pids.length > 1) return;
    await pool.stop(() => true);
    // As the SDK does for a message that was never sent.
    throw Object.assign(new Error('not connected'), { code: 'NOT_CONNECTED' });
  });
  expect(pids).toHaveLength(2);
  expect(pids[0]).not.toBe(pids[1]);
});

it('reads the lists again over a connection that stays open', async () => {
  let refreshed = 0;
  await using staged = await stage({
    discovery: {
      peek: () => null,
      noteAsks: () => undefined,
      refresh: async () => {
        await sleep(20);
        refreshed += 1;
      },
    },
  });
  const server = upstream('fixture', [FIXTURE, 'legacy']);
  await staged.pool.look(server);
  await staged.pool.look(server);
  expect(refreshed).toBe(2);
});
