import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../../test/temp-folder.ts';
import { createProcesses, type RunningProcess } from '../../../platform/processes/processes.ts';
import { createTerminals } from './terminals.ts';

test('a command that starts while its session ends is stopped', async () => {
  await using folder = await tempFolder();
  const processes = createProcesses(join(folder.path, 'processes'), { PATH: process.env['PATH'] });
  const started: RunningProcess[] = [];
  const permit = async () => ({ isAllowed: true }) as const;
  const terminals = createTerminals(
    { folder: folder.path, readOnly: false, isConfined: true, permit },
    async (launch) => {
      const child = await processes.start(launch);
      started.push(child);
      await terminals.close();
      return child;
    },
  );
  const request = { sessionId: 's', command: 'sleep', args: ['60'] };
  await expect(terminals.create(request, undefined)).rejects.toThrow('the session has ended');
  expect(started.map((child) => child.exit() === null)).toEqual([false]);
  await processes.settled();
});
