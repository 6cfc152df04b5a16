import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/temp-folder.ts';
import { createProcesses } from '../platform/processes/processes.ts';
import { outputOf } from './probe-command.ts';

test('a program that prints its help and never exits is stopped', async () => {
  await using folder = await tempFolder();
  const processes = createProcesses(join(folder.path, 'processes'), { PATH: process.env['PATH'] });
  const script = 'console.log("Usage: agent acp"); setInterval(() => {}, 1000)';
  // Its words may come later than the timeout on a busy machine; it has to end in any case.
  expect(await outputOf(process.execPath, ['-e', script], processes, 500)).toMatch(
    /^(?:Usage: agent acp\n)?$/,
  );
  expect(await outputOf(join(folder.path, 'missing'), [], processes)).toBeNull();
  await processes.settled();
});
