import { expect, it } from 'vitest';
import { runRequest } from '../../../test/run-request.ts';
import { runOwners } from '../../../test/runs/run-owners.ts';
import { NO_USAGE } from '../../contract/run.ts';
import { createQuestions } from '../../platform/store/questions.ts';
import { cancelRun } from './cancel-run.ts';
import { createLiveRuns } from './live-runs.ts';

it('a run that has ended by the time it is cancelled keeps its answer', async () => {
  await using at = await runOwners();
  const { store } = at;
  const ownership = at.owner('hub');
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
    {
      store,
      ownership,
      live: createLiveRuns(),
      questions: createQuestions(at),
      turnEnded: async () => void turns++,
    },
    { settled: async () => undefined },
  );
  expect(await store.get('r1')).toMatchObject({ state: 'completed', text: 'Yes.', steps: 1 });
  expect(turns).toBe(0);
  expect(await at.db.all('SELECT id FROM leases')).toEqual([]);
});

it('the questions of an interrupted run are withdrawn with it', async () => {
  await using at = await runOwners();
  const { store } = at;
  const questions = createQuestions(at);
  await store.create(runRequest('r1'), { revision: 0 });
  await at.db.transaction((tx) => tx.run("UPDATE runs SET state = 'interrupted'"));
  const asker = { kind: 'run', id: 'r1' };
  await questions.ask({
    kind: 'approval',
    asker,
    workspace: 'w',
    agentId: 'ada',
    title: 'May I?',
    details: {},
  });
  await cancelRun(
    await store.get('r1'),
    {
      store,
      ownership: at.owner('hub'),
      live: createLiveRuns(),
      questions,
      turnEnded: async () => undefined,
    },
    { settled: async () => undefined },
  );
  expect(await store.stateOf('r1')).toBe('cancelled');
  expect(await questions.list()).toEqual([]);
});

it('a run whose end cannot be stored can be cancelled again', async () => {
  await using at = await runOwners();
  const { store } = at;
  await store.create(runRequest('r1'), { revision: 0 });
  let failures = 1;
  const questions = {
    withdraw: async () => {
      if (failures-- > 0) throw new Error('database is locked');
      return 0;
    },
  };
  const parts = {
    store,
    ownership: at.owner('hub'),
    live: createLiveRuns(),
    questions,
    turnEnded: async () => undefined,
  };
  const cancel = () => cancelRun({ id: 'r1' }, parts, { settled: async () => undefined });
  await expect(cancel()).rejects.toThrow('locked');
  await cancel();
  expect(await store.stateOf('r1')).toBe('cancelled');
});
