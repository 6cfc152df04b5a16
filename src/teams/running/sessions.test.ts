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
  await sessions.get('a', async () => session);
  await sleep(150);
  expect(isRunning).toBe(true);
  sessions.rest('a');
  await vi.waitFor(() => expect(isRunning).toBe(false), PATIENCE);
  await sessions.close();
});
