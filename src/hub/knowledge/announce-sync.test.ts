import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import type { Database } from '../../platform/store/database.ts';
import { openSqlite } from '../../platform/store/databases/index.ts';
import { createSyncAnnouncer } from './announce-sync.ts';

const removed = { type: 'removed', source: 'filesystem:notes', documents: 2 } as const;
const now = () => new Date('2026-01-01T00:00:00Z');

it('records that a source was removed', async () => {
  await using folder = await tempFolder();
  const db = await openSqlite(`${folder.path}/zoo.db`, { threads: false });
  await createSyncAnnouncer({ db, now, log: () => undefined })('w', removed);
  const [event] = await db.all('SELECT type, data FROM events');
  expect(event?.type).toBe('knowledge-synced');
  expect(JSON.parse(String(event?.data))).toMatchObject({ source: 'filesystem:notes', ok: true, deleted: 2 });
  await db.close();
});

it('logs an event that could not be recorded, and does not fail the sync', async () => {
  await using folder = await tempFolder();
  const db = await openSqlite(`${folder.path}/zoo.db`, { threads: false });
  const full: Database = { ...db, transaction: () => Promise.reject(new Error('disk full')) };
  const problems: string[] = [];
  await createSyncAnnouncer({ db: full, now, log: (message) => problems.push(message) })('w', removed);
  expect(problems).toEqual(['recording the sync of filesystem:notes failed']);
  await db.close();
});
