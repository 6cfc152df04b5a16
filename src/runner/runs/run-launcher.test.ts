import { expect, it } from 'vitest';
import { callContext } from '../../../test/call-context.ts';
import { runRequest } from '../../../test/run-request.ts';
import { tempFolder } from '../../../test/temp-folder.ts';
import { openSqlite } from '../../platform/store/databases/index.ts';
import { createQuestions } from '../../platform/store/questions.ts';
import { createRunEventLog } from './run-event-log.ts';
import { createRunLauncher } from './run-launcher.ts';
import { createRunOwnership } from './run-ownership.ts';
import { createRunStore } from './run-store.ts';

it('recovers the other runs and leaves one that cannot be read to the next attempt', async () => {
  await using folder = await tempFolder();
  const db = await openSqlite(`${folder.path}/zoo.db`, { threads: false });
  const now = () => new Date('2026-11-15T12:00:00Z');
  const problems: string[] = [];
  const log = (message: string): void => void problems.push(message);
  const store = createRunStore(db, now);
  const ownership = createRunOwnership({
    db,
    owner: 'hub',
    now,
    onLost: () => undefined,
    onCancelRequested: () => undefined,
    onError: log,
  });
  for (const id of ['broken', 'whole']) await store.create(runRequest(id), { revision: 0 });
  const set = (value: string) =>
    db.transaction((tx) => tx.run("UPDATE runs SET request = ? WHERE id = 'broken'", [value]));
  await set('{');
  const executed: string[] = [];
  const launcher = createRunLauncher(
    {
      store,
      ownership,
      events: createRunEventLog(db, log),
      questions: createQuestions({ db, now }),
      isRevoked: async () => false,
      contextOf: () => callContext(),
      log,
    },
    async (run) => void executed.push(run.request.id),
  );
  await launcher.recover();
  await launcher.allSettled();
  expect([executed, problems]).toEqual([['whole'], ['run broken could not be taken over']]);
  await set(JSON.stringify(runRequest('broken')));
  await launcher.resume('broken');
  await launcher.allSettled();
  expect(executed).toEqual(['whole', 'broken']);
  ownership.close();
  await db.close();
});
