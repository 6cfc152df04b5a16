import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { openSqlite } from './databases/index.ts';
import { createLeases, requireLease, requireLeaseStatement } from './leases.ts';

async function opened() {
  const folder = await tempFolder({});
  const db = await openSqlite(join(folder.path, 'zoo.db'), { threads: false });
  let time = 1000;
  const leases = createLeases(db, () => time);
  const close = async () => {
    await db.close();
    await folder[Symbol.asyncDispose]();
  };
  return { db, leases, pass: (ms: number) => (time += ms), [Symbol.asyncDispose]: close };
}

describe('a lease', () => {
  it('belongs to one owner at a time', async () => {
    await using store = await opened();
    const { leases } = store;
    const first = await leases.acquire('run', 'r1', 'hub-a', 500);
    expect(first).toMatchObject({ owner: 'hub-a', fence: 1, expiresAt: 1500 });
    expect(await leases.acquire('run', 'r1', 'hub-b', 500)).toBeNull();
    expect(await leases.acquire('run', 'r2', 'hub-b', 500)).toMatchObject({ fence: 1 });
    expect(await leases.acquire('turn', 'r1', 'hub-b', 500)).toMatchObject({ fence: 1 });
  });

  it('is given to exactly one of many concurrent requests', async () => {
    await using store = await opened();
    const owners = Array.from({ length: 20 }, (_, index) => `hub-${index}`);
    const asked = await Promise.all(owners.map((owner) => store.leases.acquire('job', 'j', owner, 500)));
    expect(asked.filter((lease) => lease !== null)).toHaveLength(1);
  });

  it('is kept by renewing it', async () => {
    await using store = await opened();
    const { leases, pass } = store;
    const lease = await leases.acquire('run', 'r1', 'hub-a', 500);
    pass(400);
    expect(lease && (await leases.renew(lease, 500))).toMatchObject({ fence: 1, expiresAt: 1900 });
    pass(400);
    expect(await leases.acquire('run', 'r1', 'hub-b', 500)).toBeNull();
  });

  it('can be taken over once expired, with a higher fencing number; the old holder can no longer write', async () => {
    await using store = await opened();
    const { db, leases, pass } = store;
    const old = await leases.acquire('run', 'r1', 'hub-a', 500);
    if (!old) throw new Error('expected a lease');
    pass(500);
    expect(await leases.expired('run')).toMatchObject([{ id: 'r1', owner: 'hub-a', fence: 1 }]);
    const taken = await leases.acquire('run', 'r1', 'hub-b', 500);
    expect(taken).toMatchObject({ owner: 'hub-b', fence: 2 });
    expect(await leases.renew(old, 500)).toBeNull();
    await leases.release(old);
    expect(await leases.acquire('run', 'r1', 'hub-c', 500)).toBeNull();
    await expect(db.transaction((tx) => requireLease(tx, old))).rejects.toMatchObject({ code: 'conflict' });
    await db.transaction(async (tx) => taken && requireLease(tx, taken));
  });

  it('lets nobody write who does not hold it: after its release, or under the number of another owner', async () => {
    await using store = await opened();
    const { db, leases } = store;
    const lease = await leases.acquire('run', 'r1', 'hub-a', 500);
    if (!lease) throw new Error('expected a lease');
    const other = { ...lease, owner: 'hub-b' };
    await db.write([requireLeaseStatement(lease)]);
    await expect(db.write([requireLeaseStatement(other)])).rejects.toMatchObject({ code: 'conflict' });
    await leases.release(lease);
    await expect(db.write([requireLeaseStatement(lease)])).rejects.toMatchObject({ code: 'conflict' });
  });

  it('can be acquired at once after a release, and its fencing number never goes back', async () => {
    await using store = await opened();
    const { leases } = store;
    const first = await leases.acquire('run', 'r1', 'hub-a', 500);
    if (first) await leases.release(first);
    expect(await leases.expired('run')).toEqual([]);
    expect(await leases.acquire('run', 'r1', 'hub-b', 500)).toMatchObject({ owner: 'hub-b', fence: 2 });
  });
});
