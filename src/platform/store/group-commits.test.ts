import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import type { Database, Migration } from './database.ts';
import { openSqlite } from './databases/index.ts';
import { groupCommits } from './group-commits.ts';

const migrations: Migration[] = [
  { id: 1, name: 'first', statements: ['CREATE TABLE items (name TEXT PRIMARY KEY)'] },
];

describe.each([{ threads: false }, { threads: true }])('transactions in groups ($threads)', ({ threads }) => {
  async function stage() {
    const folder = await tempFolder();
    const db = await openSqlite(join(folder.path, 'test.db'), { threads, migrations });
    let commits = 0;
    const counted: Database['transaction'] = (work) => {
      commits++;
      return db.transaction(work);
    };
    const transaction = groupCommits({ transaction: counted });
    return {
      db,
      transaction,
      commits: () => commits,
      add: (name: string) =>
        transaction(async (tx) => {
          await tx.run('INSERT INTO items VALUES (?)', [name]);
          return name;
        }),
      names: async () => (await db.all('SELECT name FROM items ORDER BY rowid')).map(({ name }) => name),
      async [Symbol.asyncDispose]() {
        await db.close();
        await folder[Symbol.asyncDispose]();
      },
    };
  }

  it('share a commit if they wait at the same time, and run in their order', async () => {
    await using at = await stage();
    const names = Array.from({ length: 20 }, (_, index) => `item ${index}`);
    expect(await Promise.all(names.map(at.add))).toEqual(names);
    expect(await at.names()).toEqual(names);
    expect(at.commits()).toBe(1);
    await at.add('later');
    expect(at.commits()).toBe(2);
  });

  it('see earlier writes of their transaction, which others see only after the commit', async () => {
    await using at = await stage();
    const first = at.add('first');
    const seen = await at.transaction(async (tx) => [
      await tx.one('SELECT name FROM items'),
      await at.db.one('SELECT name FROM items'),
    ]);
    expect(seen).toEqual([{ name: 'first' }, undefined]);
    await first;
    expect(await at.names()).toEqual(['first']);
  });

  it('that fail because of an earlier one are rejected once that is on disk', async () => {
    await using at = await stage();
    const first = at.add('first');
    const seen = await at.add('first').catch(at.names);
    expect(seen).toEqual(['first']);
    await first;
  });

  it.each([0, 1, 2])(
    'leave nothing behind if they fail, and the others are kept (number %i)',
    async (bad) => {
      await using at = await stage();
      const results = await Promise.allSettled(
        [0, 1, 2].map((number) =>
          at.transaction(async (tx) => {
            await tx.run('INSERT INTO items VALUES (?)', [`item ${number}`]);
            if (number === bad) throw new Error('changed my mind');
          }),
        ),
      );
      expect(results.map(({ status }) => status)).toEqual(
        [0, 1, 2].map((number) => (number === bad ? 'rejected' : 'fulfilled')),
      );
      expect(await at.names()).toEqual(
        [0, 1, 2].filter((number) => number !== bad).map((number) => `item ${number}`),
      );
    },
  );

  it('fail if the store is closed', async () => {
    await using at = await stage();
    await at.db.close();
    await expect(Promise.all([at.add('a'), at.add('b')])).rejects.toThrow('closed');
    await expect(at.add('c')).rejects.toThrow('closed');
  });
});
