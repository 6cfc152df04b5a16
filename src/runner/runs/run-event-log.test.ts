import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import type { RunEvent } from '../../contract/run.ts';
import type { Database } from '../../platform/store/database.ts';
import { openSqlite } from '../../platform/store/databases/index.ts';
import { createRunEventLog } from './run-event-log.ts';

const warning = (message: string): RunEvent => ({ type: 'warning', message });

it('writes events after all when the store recovers, without a gap', async () => {
  await using folder = await tempFolder();
  const db = await openSqlite(join(folder.path, 'zoo.db'), { threads: false });
  let isFull = true;
  const store: Database = {
    ...db,
    write: (statements) => (isFull ? Promise.reject(new Error('disk full')) : db.write(statements)),
  };
  const problems: string[] = [];
  const log = createRunEventLog(store, (message) => problems.push(message));
  const run = log.begin('r');
  run.emit(warning('one'));
  await expect.poll(() => problems).toHaveLength(1);
  isFull = false;
  run.emit(warning('two'));
  await run.close();
  const seen: RunEvent[] = [];
  // As another process, or a follower after a restart, would read them.
  const reader = createRunEventLog(db, () => undefined);
  for await (const { event } of reader.follow('r', 0, new AbortController().signal, async () => true)) {
    seen.push(event);
  }
  expect(seen).toEqual([warning('one'), warning('two')]);
  expect(problems).toHaveLength(1);
  isFull = true;
  log.begin('lost').emit(warning('three'));
  await log.close();
  expect(problems.slice(1)).toEqual([
    'events of runs could not be recorded; retrying',
    '1 events of runs were not recorded',
  ]);
  await db.close();
});

it('ends with its last event, whatever is told while that is stored', async () => {
  await using folder = await tempFolder();
  const db = await openSqlite(join(folder.path, 'zoo.db'), { threads: false });
  const log = createRunEventLog(db, () => undefined);
  const run = log.begin('r');
  const seen: RunEvent[] = [];
  const following = (async () => {
    for await (const { event } of log.follow('r', 0, new AbortController().signal, async () => false))
      seen.push(event);
  })();
  run.emit(warning('one'));
  await run.end(warning('last'), async (last) => {
    run.emit(warning('too late'));
    await db.write([last]);
  });
  await following;
  expect(seen).toEqual([warning('one'), warning('last')]);
  await log.close();
  await db.close();
});
