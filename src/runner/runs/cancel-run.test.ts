import { expect, it } from 'vitest';
import { runRequest } from '../../../test/run-request.ts';
import { tempFolder } from '../../../test/temp-folder.ts';
import { NO_USAGE } from '../../contract/run.ts';
import { openSqlite } from '../../platform/store/databases/index.ts';
import { cancelRun } from './cancel-run.ts';
import { createLiveRuns } from './live-runs.ts';
import { createRunOwnership } from './run-ownership.ts';
import { createRunStore } from './run-store.ts';

it('a run that has ended by the time it is cancelled keeps its answer', async () => {
  await using folder = await tempFolder();
  const db = await openSqlite(`${folder.path}/zoo.db`, { threads: false });
  const now = () => new Date('2026-11-15T12:00:00Z');
  const store = createRunStore(db, now);
  const ownership = createRunOwnership({
    db,
    owner: 'hub',
    now,
    onLost: () => undefined,
    onCancelRequested: () => undefined,
    onError: (_, error) => {
      throw error;
    },
  });
  const lease = await ownership.claimNew('r1', async (held) => {
    await store.create(runRequest('r1'), { revision: 0, lease: held });
    return held;
  });
  const running = await store.get('r1');
  const outcome = { state: 'completed', reason: 'answered', text: 'Yes.', usage: NO_USAGE } as const;
  await store.ended(lease, { ...outcome, steps: 1, error: null }, [ownership.finish(lease)]);
  let turns = 0;
  await cancelRun(
    running,
    { store, ownership, live: createLiveRuns(), turnEnded: async () => void turns++ },
    { settled: async () => undefined },
  );
  expect(await store.get('r1')).toMatchObject({ state: 'completed', text: 'Yes.', steps: 1 });
  expect(turns).toBe(0);
  expect(await db.all('SELECT id FROM leases')).toEqual([]);
  ownership.close();
  await db.close();
});
