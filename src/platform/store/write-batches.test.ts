import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { openConnection } from './sqlite-connection.ts';
import { BEGIN } from './sqlite-messages.ts';
import { writeBatches } from './write-batches.ts';

it('a disk that is full fails the whole group with its reason, and the next one is written', async () => {
  await using folder = await tempFolder();
  const connection = openConnection(join(folder.path, 'test.db'), { readOnly: false });
  connection.one('PRAGMA journal_mode = WAL', []);
  connection.run('CREATE TABLE items (name TEXT)', []);
  connection.one('PRAGMA max_page_count = 20', []);
  const write = (...names: string[]) => {
    connection.run(BEGIN, []);
    const sql = 'INSERT INTO items VALUES (?)';
    return writeBatches(
      connection,
      names.map((name) => [{ sql, params: [name], needsRow: false }]),
    );
  };
  expect(() => write('one', 'x'.repeat(500_000), 'two')).toThrow('disk is full');
  expect(connection.all('SELECT name FROM items', [])).toEqual([]);
  expect(write('three')).toEqual([{ rows: [undefined] }]);
  expect(connection.all('SELECT name FROM items', [])).toEqual([{ name: 'three' }]);
  connection.close();
});
