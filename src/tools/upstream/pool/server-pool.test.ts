import { expect, it } from 'vitest';
import { createServerPool } from './server-pool.ts';
import type { Upstream } from '../upstream.ts';

/** A process that never answers. */
function silent(name: string): Upstream {
  const args = ['-e', 'setInterval(() => undefined, 1000)'];
  return {
    name,
    hash: name,
    owner: null,
    launch: { kind: 'stdio', command: process.execPath, args, env: {}, cwd: process.cwd() },
    shared: true,
    idleMs: 60_000,
    timeoutMs: 60_000,
    missing: [],
  };
}

it('a pool that is closed starts nothing more, also not what has waited for its turn', async () => {
  const pool = createServerPool({
    env: { PATH: process.env['PATH'] },
    records: { note: () => undefined },
    ready: Promise.resolve(),
    now: () => 0,
    discovery: { peek: () => null, refresh: async () => undefined, noteAsks: () => undefined },
    auth: async () => null,
    onResourceUpdated: () => undefined,
  });
  const looks = Array.from({ length: 11 }, (_, n) => pool.lookInTurn(silent(`silent-${n}`)));
  const outcomes = Promise.allSettled(looks);
  await pool.close();
  // One that was started after all would be waited for.
  expect((await outcomes).map(({ status }) => status)).toEqual(looks.map(() => 'rejected'));
});
