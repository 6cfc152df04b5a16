import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../../test/temp-folder.ts';
import { createProcesses } from '../../../platform/processes/processes.ts';
import type { SessionLaunch } from '../../harness.ts';
import { createPrintModeHarness } from './print-harness.ts';

test('a turn that is cancelled while its process starts ends the process', async () => {
  await using folder = await tempFolder();
  const env = { PATH: process.env['PATH'] };
  const processes = createProcesses(join(folder.path, 'processes'), env);
  const harness = createPrintModeHarness({
    name: 'slow',
    command: [process.execPath],
    readable: [],
    hosts: [],
    env: {},
    turn: () => ({ args: ['-e', 'setInterval(() => {}, 1000)'], env: {} }),
    hasForgotten: () => false,
  });
  const turn = new AbortController();
  const session = await harness.open(launchIn(folder.path), {
    env,
    async start(launch) {
      const child = await processes.start(launch);
      turn.abort(new Error('the member was stopped'));
      return child;
    },
  });
  await expect(session.run('go', turn.signal, () => undefined)).rejects.toThrow('the member was stopped');
  await session.stop();
  await processes.settled();
});

const launchIn = (folder: string): SessionLaunch => ({
  member: { id: 'm1', teamId: 't1', name: 'root', workspace: 'w', agentId: null },
  budget: () => ({}),
  folder,
  home: { outside: folder, inside: folder },
  system: '',
  isFirstTurn: true,
  session: null,
  mcp: { name: 'team', url: '', token: 'secret', bridge: { command: '', args: [], env: {} } },
  readOnly: false,
  signal: new AbortController().signal,
  isConfined: false,
  permit: async () => ({ isAllowed: true }),
});
