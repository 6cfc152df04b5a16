import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import type { Database } from './database.ts';
import { openSqlite } from './databases/index.ts';
import { createStoredCounts, forgetOldCounts } from './stored-counts.ts';

async function open() {
  const folder = await tempFolder();
  const db = await openSqlite(join(folder.path, 'zoo.db'), { threads: false });
  return {
    db,
    async [Symbol.asyncDispose]() {
      await db.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const now = () => new Date();
const hello = () => ({ key: 'hello', text: vi.fn<() => string>(() => 'hello world') });

describe('token counts', () => {
  it('are computed once, then read from the store', async () => {
    await using opened = await open();
    const first = createStoredCounts(opened.db, now);
    const [once, again] = [hello(), hello()];
    expect(await first.count([once, { key: 'none', text: () => '' }, once])).toEqual([2, 0, 2]);
    expect(once.text).toHaveBeenCalledTimes(1);
    await first.close();
    expect(await createStoredCounts(opened.db, now).count([again])).toEqual([2]);
    expect(again.text).not.toHaveBeenCalled();
  });

  it('are computed again for another key, and after a month', async () => {
    await using opened = await open();
    const first = createStoredCounts(opened.db, () => new Date(Date.now() - 40 * 24 * 60 * 60 * 1000));
    await first.count([hello()]);
    await first.close();
    await opened.db.transaction((tx) => forgetOldCounts(tx, now()));
    const again = hello();
    const later = createStoredCounts(opened.db, now);
    expect(await later.count([again, { key: 'hello@2', text: () => 'hello' }])).toEqual([2, 1]);
    expect(again.text).toHaveBeenCalledTimes(1);
  });

  it('survive a store that cannot be read, and use it once it can', async () => {
    await using opened = await open();
    const earlier = createStoredCounts(opened.db, now);
    await earlier.count([hello()]);
    await earlier.close();
    let broken = true;
    const flaky: Database = {
      ...opened.db,
      all: async (sql, params) => {
        if (broken) throw new Error('disk I/O error');
        return opened.db.all(sql, params);
      },
    };
    const counts = createStoredCounts(flaky, now);
    expect(await counts.count([{ key: 'other', text: () => 'hello' }])).toEqual([1]);
    broken = false;
    const again = hello();
    expect(await counts.count([again])).toEqual([2]);
    expect(again.text).not.toHaveBeenCalled();
  });

  it('yield to the event loop every few milliseconds', async () => {
    await using opened = await open();
    let elapsed = 0;
    const counts = createStoredCounts(opened.db, now, () => elapsed);
    await counts.count([hello()]);
    let turns = 0;
    let beat = setImmediate(function next() {
      turns += 1;
      beat = setImmediate(next);
    });
    const seen: number[] = [];
    const text = (): string => {
      elapsed += 3;
      seen.push(turns);
      return 'hello';
    };
    await counts.count(Array.from({ length: 9 }, (_, n) => ({ key: String(n), text })));
    clearImmediate(beat);
    expect(seen).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2]);
  });
});
