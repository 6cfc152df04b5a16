import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { HarnessSession } from '../harness.ts';
import { createMemberSessions } from './sessions.ts';

const noLog = (): void => undefined;

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
  const sessions = createMemberSessions(10, noLog);
  await sessions.get('a', new AbortController().signal, async () => session);
  await sleep(150);
  expect(isRunning).toBe(true);
  sessions.rest('a');
  await expect.poll(() => isRunning).toBe(false);
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
  const sessions = createMemberSessions(60_000, noLog);
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

test('a session that cannot be stopped is reported, and does not keep others from being stopped', async () => {
  const stopped: string[] = [];
  const session = (id: string): HarnessSession => ({
    id,
    run: async () => ({ text: '', spent: { tokens: 0, usd: 0 } }),
    isAlive: () => true,
    async stop() {
      stopped.push(id);
      if (id !== 'good') throw new Error(`${id} is stuck`);
    },
  });
  const logged: unknown[] = [];
  const sessions = createMemberSessions(10, (message, error) => logged.push([message, error]));
  const never = new AbortController().signal;
  await sessions.get('idle', never, async () => session('idle'));
  sessions.rest('idle');
  await expect.poll(() => logged).toHaveLength(1);
  expect(logged).toEqual([['an idle session could not be stopped', new Error('idle is stuck')]]);

  await sessions.get('bad', never, async () => session('bad'));
  await sessions.get('good', never, async () => session('good'));
  await expect(sessions.close()).rejects.toThrow('bad is stuck');
  expect(stopped).toEqual(['idle', 'bad', 'good']);
});
