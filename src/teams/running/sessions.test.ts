import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { createProcesses } from '../../platform/processes/processes.ts';
import type { Harness, SessionLaunch } from '../harness.ts';
import { createMemberSessions } from './sessions.ts';

test('a session is stopped when it is idle, and never during a turn, however long', async () => {
  await using home = await tempFolder();
  let isRunning = true;
  const harness: Harness = {
    name: 'quiet',
    command: ['quiet'],
    probe: async () => ({ installed: true, version: null, missing: null }),
    open: async () => ({
      id: 'one',
      run: async () => ({ text: '', spent: { tokens: 0, usd: 0 } }),
      isAlive: () => isRunning,
      async stop() {
        isRunning = false;
      },
    }),
  };
  const launch = async (): Promise<SessionLaunch> => ({
    folder: home.path,
    system: '',
    session: null,
    mcp: { name: 'team', url: 'http://127.0.0.1/mcp/team', token: 't' },
    readOnly: false,
    permit: async () => false,
  });
  const host = { processes: createProcesses(home.path, {}), env: {} };
  const sessions = createMemberSessions({ host, harness: () => harness, idleMs: 10 });
  await sessions.get('a', 'quiet', launch);
  await sleep(150);
  expect(isRunning).toBe(true);
  sessions.rest('a');
  await vi.waitFor(() => expect(isRunning).toBe(false), 10_000);
  await sessions.close();
});
