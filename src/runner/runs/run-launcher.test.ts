import { expect, it } from 'vitest';
import { callContext } from '../../../test/call-context.ts';
import { plainAgent } from '../../../test/plain-agent.ts';
import { runRequest } from '../../../test/run-request.ts';
import { runOwners } from '../../../test/runs/run-owners.ts';
import { NO_USAGE } from '../../contract/run.ts';
import { createQuestions } from '../../platform/store/questions.ts';
import type { ClaimedRun } from './execute-run.ts';
import { createRunEventLog } from './run-event-log.ts';
import type { ReadyRun } from './prepare-run.ts';
import { createRunLauncher } from './run-launcher.ts';
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

async function stage(work: (run: ClaimedRun) => Promise<void>) {
  const owners = await runOwners();
  const { db, now } = owners;
  const problems: string[] = [];
  const log = (message: string): void => void problems.push(message);
  const ownership = owners.owner('hub', log);
  const launcherOn = (runs: RunStore) =>
    createRunLauncher(
      {
        store: runs,
        ownership,
        events: createRunEventLog(db, log),
        questions: createQuestions({ db, now }),
        isRevoked: async () => false,
        turnEnded: async () => undefined,
        contextOf: () => callContext(),
        log,
      },
      work,
    );
  return { ...owners, problems, launcherOn };
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

it('a run whose row cannot be stored has no effect and leaves nothing', async () => {
  const said: string[] = [];
  await using at = await stage(async ({ stored, events }) => {
    await stored?.then(
      () => said.push('stored'),
      (error: unknown) => said.push(String(error)),
    );
    await events.close();
  });
  const write = () => Promise.reject(new Error('the disk is full'));
  const launcher = at.launcherOn(createRunStore({ ...at.db, write }, at.now));
  await expect(launcher.begin(runRequest('r1'), READY, callContext())).rejects.toThrow('the disk is full');
  await launcher.allSettled();
  expect(said).toEqual(['Error: the disk is full']);
  for (const table of ['runs', 'leases', 'run_events'])
    expect(await at.db.all(`SELECT * FROM ${table}`)).toEqual([]);
  // The next hub has nothing to resume, and the id is free.
  expect(await at.store.unfinished()).toEqual([]);
  await at.launcherOn(at.store).begin(runRequest('r1'), READY, callContext());
});

it('a run whose row was committed before the hub was killed is resumed once', async () => {
  const executed: string[] = [];
  await using at = await stage(
    async ({ request, plan }) => void executed.push(`${request.id} ${plan?.step}`),
  );
  await at.store.create(runRequest('r1'), { revision: 0 });
  const launcher = at.launcherOn(at.store);
  await Promise.all([launcher.recover(), launcher.recover()]);
  await launcher.recover();
  await launcher.allSettled();
  expect(executed).toEqual(['r1 0']);
});

it('a run that was cancelled in the meantime is not resumed', async () => {
  const executed: string[] = [];
  await using at = await stage(async ({ request }) => void executed.push(request.id));
  await at.store.create(runRequest('r1'), { revision: 0 });
  await at.db.transaction((tx) => tx.run("UPDATE runs SET state = 'cancelled'"));
  const launcher = at.launcherOn(at.store);
  await expect(launcher.resume('r1')).rejects.toThrow("Run 'r1' is cancelled");
  await launcher.allSettled();
  expect(executed).toEqual([]);
});

it('a resumed run has spent what was stored, summaries of its conversation included', async () => {
  const spent: unknown[] = [];
  await using at = await stage(async ({ plan }) => void spent.push(plan?.usage));
  const usage = { ...NO_USAGE, inputTokens: 700 };
  const set = (state: string) =>
    at.db.transaction((tx) => tx.run('UPDATE runs SET state = ?, usage = ?', [state, JSON.stringify(usage)]));
  await at.store.create(runRequest('r1'), { revision: 0 });
  const launcher = at.launcherOn(at.store);
  await set('interrupted');
  await launcher.resume('r1');
  await launcher.allSettled();
  expect(spent).toEqual([usage]);
});

it('a run that was being cancelled when the hub was killed does not go on', async () => {
  const executed: string[] = [];
  await using at = await stage(async ({ request }) => void executed.push(request.id));
  await at.store.create(runRequest('r1'), { revision: 0 });
  await at.store.requestCancel('r1');
  const launcher = at.launcherOn(at.store);
  await launcher.recover();
  await launcher.allSettled();
  expect(executed).toEqual([]);
  expect(await at.store.get('r1')).toMatchObject({ state: 'cancelled', endReason: 'cancelled' });
  expect(await at.db.all('SELECT id FROM leases')).toEqual([]);
});
