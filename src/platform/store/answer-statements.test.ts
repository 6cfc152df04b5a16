import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { answerStatements } from './answer-statements.ts';
import { openConnection } from './sqlite-connection.ts';
import { BEGIN, ROLLBACK } from './sqlite-messages.ts';

it('statements after a BEGIN that failed are refused until the ROLLBACK', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'test.db');
  const other = openConnection(file, { readOnly: false, waitMs: 0 });
  other.run('CREATE TABLE items (name TEXT)', []);
  const connection = openConnection(file, { readOnly: false, waitMs: 0 });
  const answer = answerStatements(connection);
  const run = (sql: string) => answer({ id: 1, kind: 'run', sql, params: [] });
  const insert = "INSERT INTO items VALUES ('x')";

  other.run(BEGIN, []);
  expect(run(BEGIN).error).toContain('locked');
  // The lock is free from here on: the insert would be committed by itself.
  other.run(ROLLBACK, []);
  expect(run(insert).error).toContain('locked');
  expect(run('COMMIT').error).toContain('locked');
  run(ROLLBACK);
  expect(other.all('SELECT * FROM items', [])).toEqual([]);

  expect([BEGIN, insert, 'COMMIT'].map((sql) => run(sql).error)).toEqual([undefined, undefined, undefined]);
  expect(other.all('SELECT * FROM items', [])).toEqual([{ name: 'x' }]);
  connection.close();
  other.close();
});
