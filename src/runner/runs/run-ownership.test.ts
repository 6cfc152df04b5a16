import { expect, it } from 'vitest';
import { runRequest } from '../../../test/run-request.ts';
import { runOwners } from '../../../test/runs/run-owners.ts';
import { createRunJournal } from './run-journal.ts';
import { pruneRuns } from './prune-runs.ts';

const request = (id: string) => runRequest(id, { input: [{ type: 'text', text: 'x'.repeat(1_000) }] });

it('a run belongs to one process; the same hub gets it back, another only when the lease expired', async () => {
  await using at = await runOwners();
  const first = await at.owner('hub a').claim('r1');
  expect(first).not.toBeNull();
  const other = at.owner('hub b');
  expect(await other.claim('r1')).toBeNull();
  expect(await other.isHeldElsewhere('r1')).toBe(true);
  const restarted = await at.owner('hub a').claim('r1');
  expect(restarted?.fence).toBe((first?.fence ?? 0) + 1);
  at.pass(60_000);
  expect(await other.isHeldElsewhere('r1')).toBe(false);
  expect(await other.claim('r1')).not.toBeNull();
});

it('a run that is started again, here or elsewhere, stays with the process that started it first', async () => {
  await using at = await runOwners();
  const { store } = at;
  const [here, elsewhere] = [at.owner('hub a'), at.owner('hub b')];
  const start = (by: typeof here) =>
    by.claimNew('r1', async (lease) => {
      await store.create(request('r1'), { revision: 0, lease });
      return lease;
    });
  const first = await start(here);
  await expect(start(here)).rejects.toMatchObject({ code: 'conflict' });
  await expect(start(elsewhere)).rejects.toThrow('UNIQUE');
  expect(await here.claim('r1')).toBeNull();
  expect(await elsewhere.claim('r1')).toBeNull();
  await store.interrupted(first, { code: 'internal', message: 'still ours' });
});

it('a process that lost a run writes nothing to it', async () => {
  await using at = await runOwners();
  const { store } = at;
  await store.create(request('r1'), { revision: 0 });
  const stuck = await at.owner('hub a').claim('r1');
  at.pass(60_000);
  const taken = await at.owner('hub b').claim('r1');
  if (!stuck || !taken) throw new Error('not claimed');
  const outcome = {
    state: 'completed' as const,
    reason: 'answered' as const,
    text: 'late',
    usage: {
      inputTokens: 0,
      cachedTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 0,
      reasoningTokens: 0,
      usd: 0,
    },
    steps: 1,
    error: null,
  };
  await expect(store.ended(stuck, outcome)).rejects.toThrow('lost to another process');
  const journal = createRunJournal({ db: at.db, lease: stuck, now: at.now, onWrite: () => undefined });
  const call = { type: 'tool-call' as const, id: 'c', name: 'send', input: {} };
  await expect(journal.callStarted(1, call, 'never')).rejects.toThrow('lost to another process');
  await store.ended(taken, { ...outcome, text: 'in time' });
  expect((await store.get('r1')).text).toBe('in time');
});

it('old runs are removed by age and by size, active ones never', async () => {
  await using at = await runOwners();
  const { store } = at;
  const owner = at.owner('hub a');
  const end = async (id: string) => {
    await store.create(request(id), { revision: 0 });
    const lease = await owner.claim(id);
    if (!lease) throw new Error('not claimed');
    const usage = {
      inputTokens: 0,
      cachedTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 0,
      reasoningTokens: 0,
      usd: 0,
    };
    await store.ended(lease, {
      state: 'completed',
      reason: 'answered',
      text: '',
      usage,
      steps: 0,
      error: null,
    });
  };
  await store.create(request('open'), { revision: 0 });
  await end('old');
  at.pass(40 * 24 * 60 * 60 * 1000);
  for (const id of ['a', 'b', 'c']) {
    at.pass(1_000);
    await end(id);
  }
  const left = async () => (await store.list({ limit: 10, offset: 0 })).runs.map(({ id }) => id).toSorted();
  expect(await pruneRuns(at.db, at.now(), { keepDays: 30, keepMb: 500 })).toBe(1);
  expect(await left()).toEqual(['a', 'b', 'c', 'open']);
  await pruneRuns(at.db, at.now(), { keepDays: 30, keepMb: 3_000 / 1024 / 1024 });
  expect(await left()).toEqual(['b', 'c', 'open']);
});
