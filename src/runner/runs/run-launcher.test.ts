import { once } from 'node:events';
import { expect, it } from 'vitest';
import { callContext } from '../../../test/call-context.ts';
import { runRequest } from '../../../test/run-request.ts';
import { tempFolder } from '../../../test/temp-folder.ts';
import { openSqlite } from '../../platform/store/databases/index.ts';
import { createQuestions } from '../../platform/store/questions.ts';
import type { ReadyRun } from './execute-run.ts';
import { createLiveRuns, type LiveRuns } from './live-runs.ts';
import { createRunEventLog } from './run-event-log.ts';
import { createRunLauncher } from './run-launcher.ts';
import { createRunOwnership } from './run-ownership.ts';
import type { RunRequest } from './run-request.ts';
import { createRunStore, type RunStore } from './run-store.ts';

async function stage(work: (request: RunRequest, live: LiveRuns) => Promise<void>) {
  const folder = await tempFolder();
  const db = await openSqlite(`${folder.path}/zoo.db`, { threads: false });
  const now = () => new Date('2026-11-15T12:00:00Z');
  const problems: string[] = [];
  const log = (message: string): void => void problems.push(message);
  const store = createRunStore(db, now);
  const live = createLiveRuns();
  const ownership = createRunOwnership({
    db,
    owner: 'hub',
    now,
    onLost: () => undefined,
    onCancelRequested: () => undefined,
    onError: log,
  });
  const launcherOn = (runs: RunStore) =>
    createRunLauncher(
      {
        store: runs,
        live,
        ownership,
        events: createRunEventLog(db, log),
        questions: createQuestions({ db, now }),
        isRevoked: async () => false,
        contextOf: () => callContext(),
        log,
      },
      ({ request }) => work(request, live),
    );
  return {
    db,
    store,
    problems,
    launcherOn,
    async [Symbol.asyncDispose]() {
      ownership.close();
      await db.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

it('recovers the other runs and leaves one that cannot be read to the next attempt', async () => {
  const executed: string[] = [];
  await using at = await stage(async ({ id }) => void executed.push(id));
  const { db, store, problems } = at;
  for (const id of ['broken', 'whole']) await store.create(runRequest(id), { revision: 0 });
  const set = (value: string) =>
    db.transaction((tx) => tx.run("UPDATE runs SET request = ? WHERE id = 'broken'", [value]));
  await set('{');
  const launcher = at.launcherOn(store);
  await launcher.recover();
  await launcher.allSettled();
  expect([executed, problems]).toEqual([['whole'], ['run broken could not be taken over']]);
  await set(JSON.stringify(runRequest('broken')));
  await launcher.resume('broken');
  await launcher.allSettled();
  expect(executed).toEqual(['whole', 'broken']);
});

it('a run begins before its row is committed, and is cancelled if that fails', async () => {
  const ended: string[] = [];
  await using at = await stage(async ({ id }, live) => {
    const { signal, close } = live.open(id);
    if (!signal.aborted) await once(signal, 'abort');
    ended.push(id);
    close();
  });
  const full: RunStore = {
    ...at.store,
    async create(request, { onAccepted }) {
      onAccepted?.();
      throw new Error(`no room for ${request.id}`);
    },
  };
  const launcher = at.launcherOn(full);
  const ready = { agent: { revision: 0 }, settings: {} } as ReadyRun;
  const begun = launcher.begin(runRequest('r1'), ready, callContext());
  await expect(begun).rejects.toThrow('no room for r1');
  await launcher.allSettled();
  expect(ended).toEqual(['r1']);
});
