import { once } from 'node:events';
import { expect, it } from 'vitest';
import { callContext } from '../../../test/call-context.ts';
import { plainAgent } from '../../../test/plain-agent.ts';
import { runRequest } from '../../../test/run-request.ts';
import { tempFolder } from '../../../test/temp-folder.ts';
import type { Database } from '../../platform/store/database.ts';
import { openSqlite } from '../../platform/store/databases/index.ts';
import { createQuestions } from '../../platform/store/questions.ts';
import type { ClaimedRun, ReadyRun } from './execute-run.ts';
import { createLiveRuns, type LiveRuns } from './live-runs.ts';
import { createRunEventLog } from './run-event-log.ts';
import { createRunJournal } from './run-journal.ts';
import { createRunLauncher } from './run-launcher.ts';
import { createRunOwnership } from './run-ownership.ts';
import { createRunStore, type RunStore } from './run-store.ts';

const READY: ReadyRun = {
  agent: plainAgent('ada'),
  settings: {
    providers: [],
    models: undefined,
    temperature: undefined,
    effort: undefined,
    limits: { maxTurns: 1, maxOutputTokens: 1, wallMs: 1 },
    runsPerToken: 1,
    runBudget: {},
    dayLimits: { agentDay: {}, hubDay: {} },
  },
};

async function stage(work: (run: ClaimedRun, live: LiveRuns) => Promise<void>) {
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
      (run) => work(run, live),
    );
  return {
    db,
    now,
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
  await using at = await stage(async ({ request }) => void executed.push(request.id));
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

/** A store on a disk that is full when the work of a transaction is done. */
const onFullDisk = (db: Database, now: () => Date): RunStore =>
  createRunStore(
    {
      ...db,
      transaction: (work) =>
        db.transaction(async (tx) => {
          await work(tx);
          throw new Error('the disk is full');
        }),
    },
    now,
  );

it('a run begins before its row is committed; if that fails, it calls no tool and leaves nothing', async () => {
  const called: string[] = [];
  await using at = await stage(async ({ request, lease }, live) => {
    const { signal, close } = live.open(request.id);
    const journal = createRunJournal({ db: at.db, lease, now: at.now, onWrite: () => undefined });
    const call = { type: 'tool-call', id: 'c1', name: 'send_mail', input: {} } as const;
    // The model answers with a call after the commit has failed; or it is still asked, and hears of it.
    if (request.id === 'asked' && !signal.aborted) await once(signal, 'abort');
    await journal.callStarted(1, call, 'never').then(
      () => called.push('send_mail'),
      (error: unknown) => called.push(String(error)),
    );
    close();
  });
  const launcher = at.launcherOn(onFullDisk(at.db, at.now));
  for (const id of ['asked', 'answered'])
    await expect(launcher.begin(runRequest(id), READY, callContext())).rejects.toThrow('the disk is full');
  await launcher.allSettled();
  expect(called).toEqual([expect.stringContaining('lease'), expect.stringContaining('lease')]);
  for (const table of ['runs', 'leases', 'run_calls'])
    expect(await at.db.all(`SELECT * FROM ${table}`)).toEqual([]);
  // The next hub has nothing to resume, so the model is not asked again for a call that nobody waits for.
  expect(await at.store.unfinished()).toEqual([]);
});

it('a run whose row was committed before the hub was killed is resumed once', async () => {
  const executed: string[] = [];
  await using at = await stage(
    async ({ request, plan }) => void executed.push(`${request.id} ${plan?.step}`),
  );
  await at.store.create(runRequest('r1'), { revision: 0 });
  const launcher = at.launcherOn(at.store);
  await launcher.recover();
  await launcher.recover();
  await launcher.allSettled();
  expect(executed).toEqual(['r1 0']);
});
