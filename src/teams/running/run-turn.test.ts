import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { HarnessSession } from '../harness.ts';
import { runTurn } from './run-turn.ts';

/** A session that shows signs of life until its turn is aborted. */
const lively: HarnessSession = {
  id: 'one',
  async run(_prompt, signal, on) {
    while (!signal.aborted) {
      on({ type: 'other' });
      await sleep(2);
    }
    throw signal.reason;
  },
  isAlive: () => true,
  stop: async () => undefined,
};

test('a turn fails after its total time, however lively it is', async () => {
  const { kind, error } = await runTurn(
    lively,
    'Go.',
    { idleMs: 60_000, totalMs: 100 },
    new AbortController().signal,
  );
  expect([kind, error]).toEqual(['failed', 'the turn took longer than 0.1 s']);
});

test('a time limit of years does not end a turn at once', async () => {
  const quick: HarnessSession = {
    ...lively,
    async run(_prompt, signal) {
      await sleep(20);
      signal.throwIfAborted();
      return { text: 'done', spent: { tokens: 0, usd: 0 } };
    },
  };
  const limits = { idleMs: 1e12, totalMs: 1e12 };
  expect((await runTurn(quick, 'Go.', limits, new AbortController().signal)).answer).toBe('done');
});
