import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { PATIENCE } from '../../../test/patience.ts';
import type { HarnessSession } from '../harness.ts';
import { createMemberSessions } from './sessions.ts';

test('a session is stopped when it is idle, and never during a turn, however long', async () => {
  let isRunning = true;
  const session: HarnessSession = {
    id: 'one',
    run: async () => ({ text: '', spent: { tokens: 0, usd: 0 } }),
    isAlive: () => isRunning,
    async stop() {
      isRunning = false;
    },
  };
  const sessions = createMemberSessions(10);
  await sessions.get('a', new AbortController().signal, async () => session);
  await sleep(150);
  expect(isRunning).toBe(true);
  sessions.rest('a');
  await vi.waitFor(() => expect(isRunning).toBe(false), PATIENCE);
  await sessions.close();
});

test('a session that could not be opened ahead is opened again by the turn, and ends with its member', async () => {
  const opened: AbortSignal[] = [];
  const open = (signal: AbortSignal): Promise<HarnessSession> => {
    opened.push(signal);
    if (opened.length === 1) return Promise.reject(new Error('not installed'));
    return new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(new Error('cancelled'))),
    );
  };
  const sessions = createMemberSessions(60_000);
  sessions.warm('a', open);
  sessions.warm('a', open);
  expect(opened).toHaveLength(1);
  // The failure is known once its promise has settled.
  await Promise.resolve();
  const stop = new AbortController();
  const turn = sessions.get('a', stop.signal, open);
  stop.abort(new Error('cancelled'));
  await expect(turn).rejects.toThrow('cancelled');
  await sessions.end('a');

  sessions.warm('b', open);
  await sessions.end('b');
  expect(opened.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  await sessions.close();
});
