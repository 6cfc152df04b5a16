import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../../test/temp-folder.ts';
import type { Database, Migration } from '../database.ts';
import { openSqlite } from './index.ts';

const migrations: Migration[] = [
  { id: 1, name: 'first', statements: ['CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)'] },
];

/** Every engine, in each way it can run, keeps the same promises. */
const engines: { name: string; open: (folder: string, steps?: Migration[]) => Promise<Database> }[] = [
  {
    name: 'sqlite in this thread',
    open: (folder, steps = migrations) =>
      openSqlite(join(folder, 'test.db'), { threads: false, migrations: steps }),
  },
  {
    name: 'sqlite in threads',
    open: (folder, steps = migrations) =>
      openSqlite(join(folder, 'test.db'), { threads: true, migrations: steps }),
  },
];

describe.each(engines)('a store: $name', ({ open }) => {
  it('keeps the writes of a transaction, and nothing of a failed one', async () => {
    await using folder = await tempFolder();
    const db = await open(folder.path);
    await db.transaction((tx) => tx.run('INSERT INTO items (name) VALUES (?)', ['kept']));
    await expect(
      db.transaction(async (tx) => {
        await tx.run('INSERT INTO items (name) VALUES (?)', ['lost']);
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await db.all('SELECT name FROM items')).toEqual([{ name: 'kept' }]);
    expect(await db.one('SELECT name FROM items WHERE id = ?', [1])).toEqual({ name: 'kept' });
    expect(await db.one('SELECT name FROM items WHERE id = ?', [99])).toBeUndefined();
    await db.close();
  });

  it('writes all statements of a transaction or none, and returns their rows', async () => {
    await using folder = await tempFolder();
    const db = await open(folder.path);
    const insert = (id: number, name: string) => ({
      sql: 'INSERT INTO items VALUES (?, ?) RETURNING id',
      params: [id, name],
    });
    const require = (id: number) => ({
      sql: 'SELECT name FROM items WHERE id = ?',
      params: [id],
      orElse: () => new Error(`no item ${id}`),
    });
    expect(
      await db.write([insert(1, 'one'), require(1), { sql: "DELETE FROM items WHERE name = ''" }]),
    ).toEqual([{ id: 1 }, { name: 'one' }, undefined]);
    // Of one moment: each stands or falls by itself, in the order of the calls.
    const results = await Promise.allSettled([
      db.write([insert(2, 'two'), require(99)]),
      db.write([insert(3, 'three')]),
      db.write([insert(4, 'four'), insert(1, 'again')]),
      db.transaction((tx) => tx.run("UPDATE items SET name = 'changed' WHERE id = 3")),
      db.write([{ sql: 'INSERT INTO items SELECT 5, name FROM items WHERE id = 3' }]),
    ]);
    expect(
      results.map((result) => (result.status === 'rejected' ? String(result.reason) : 'written')),
    ).toEqual(['Error: no item 99', 'written', expect.stringContaining('UNIQUE'), 'written', 'written']);
    expect(await db.all('SELECT name FROM items ORDER BY id')).toEqual([
      { name: 'one' },
      { name: 'changed' },
      { name: 'changed' },
    ]);
    await db.close();
    await expect(db.write([insert(6, 'late')])).rejects.toThrow('closed');
    await expect(db.write([insert(7, 'later')])).rejects.toThrow('closed');
  });

  it('never interleaves transactions or shows an open one', async () => {
    await using folder = await tempFolder();
    const db = await open(folder.path);
    await db.transaction((tx) => tx.run('INSERT INTO items VALUES (1, ?)', ['0']));
    const increment = () =>
      db.transaction(async (tx) => {
        const before = Number((await tx.one('SELECT name FROM items WHERE id = 1'))?.name);
        await new Promise((resolve) => setTimeout(resolve, 1));
        await tx.run('UPDATE items SET name = ? WHERE id = 1', [String(before + 1)]);
        expect(await db.one('SELECT name FROM items WHERE id = 1')).toEqual({ name: String(before) });
      });
    await Promise.all(Array.from({ length: 20 }, increment));
    expect(await db.one('SELECT name FROM items WHERE id = 1')).toEqual({ name: '20' });
    await db.close();
  });

  it('loses nothing with two concurrent writers', async () => {
    await using folder = await tempFolder();
    const [a, b] = await Promise.all([open(folder.path), open(folder.path)]);
    const write = (db: Database, name: string) =>
      Array.from({ length: 50 }, () =>
        db.transaction((tx) => tx.run('INSERT INTO items (name) VALUES (?)', [name])),
      );
    await Promise.all([...write(a, 'a'), ...write(b, 'b')]);
    expect(await a.one('SELECT COUNT(*) AS n FROM items')).toEqual({ n: 100 });
    await Promise.all([a.close(), b.close()]);
  });

  it('changes its version with every commit', async () => {
    await using folder = await tempFolder();
    const [a, b] = await Promise.all([open(folder.path), open(folder.path)]);
    const before = a.version();
    expect(a.version()).toBe(before);
    await b.transaction((tx) => tx.run('INSERT INTO items (name) VALUES (?)', ['b']));
    await delay(10);
    const between = a.version();
    expect(between).not.toBe(before);
    await a.transaction((tx) => tx.run('INSERT INTO items (name) VALUES (?)', ['a']));
    expect(a.version()).not.toBe(between);
    await Promise.all([a.close(), b.close()]);
  });

  it('applies only missing migrations, and refuses a store from a newer version', async () => {
    await using folder = await tempFolder();
    await (await open(folder.path)).close();
    const second = { id: 2, name: 'second', statements: ['ALTER TABLE items ADD COLUMN extra TEXT'] };
    const newer = await open(folder.path, [...migrations, second]);
    await newer.transaction((tx) => tx.run('INSERT INTO items (name, extra) VALUES (?, ?)', ['x', 'y']));
    await newer.close();
    await expect(open(folder.path)).rejects.toThrow(/newer version/);
  });

  it('backs up while it is written to, and restores', async () => {
    await using folder = await tempFolder();
    const db = await open(folder.path);
    await db.transaction((tx) => tx.run('INSERT INTO items (name) VALUES (?)', ['before']));
    const file = join(folder.path, 'copy.db');
    await Promise.all([
      db.backup(file),
      db.transaction((tx) => tx.run('INSERT INTO items (name) VALUES (?)', ['after'])),
    ]);
    await db.restore(file, []);
    expect(await db.all('SELECT name FROM items')).toEqual([{ name: 'before' }]);
    expect(await db.check()).toEqual([]);
    await db.close();
  });

  it('reports a failing statement, and continues', async () => {
    await using folder = await tempFolder();
    const db = await open(folder.path);
    await expect(db.all('SELECT nonsense FROM items')).rejects.toThrow(/nonsense/);
    await expect(db.one('SELECT nonsense FROM items')).rejects.toThrow(/nonsense/);
    await expect(db.transaction((tx) => tx.run('DELETE FROM nowhere'))).rejects.toThrow(/nowhere/);
    expect(await db.all('SELECT name FROM items')).toEqual([]);
    await db.close();
    await expect(db.transaction((tx) => tx.run('DELETE FROM items'))).rejects.toThrow(/closed/);
  });
});

describe('the main loop', () => {
  it('stays free while another process holds the write lock', async () => {
    await using folder = await tempFolder();
    const db = await openSqlite(join(folder.path, 'test.db'), { threads: true, migrations });
    const holder = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      `import { DatabaseSync } from '@photostructure/sqlite';
       const db = new DatabaseSync(${JSON.stringify(join(folder.path, 'test.db'))});
       db.exec('BEGIN IMMEDIATE');
       console.log('held');
       process.stdin.once('data', () => { db.exec('ROLLBACK'); db.close(); process.exit(); });`,
    ]);
    await once(holder.stdout, 'data');
    let written = false;
    const writing = db
      .transaction((tx) => tx.run('INSERT INTO items (name) VALUES (?)', ['waited']))
      .then(() => (written = true));
    // A loop that waited for the lock would not come to release it.
    for (let tick = 0; tick < 20; tick++) await delay(5);
    expect(written).toBe(false);
    const ended = once(holder, 'exit');
    holder.stdin.write('release');
    await Promise.all([writing, ended]);
    expect(written).toBe(true);
    await db.close();
  });
});
