import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/temp-folder.ts';
import { createProcesses } from '../platform/processes/processes.ts';
import { outputOf, probeCommand } from './probe-command.ts';

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

test('a harness has the version of its program, not that of the interpreter', async () => {
  await using folder = await tempFolder({ 'agent.js': '' });
  const env = { PATH: process.env['PATH'] };
  const host = { ...createProcesses(join(folder.path, 'processes'), env), env };
  const version = process.versions.node;
  expect(await probeCommand([process.execPath], host)).toMatchObject({ installed: true, version });
  const script = [process.execPath, join(folder.path, 'agent.js')];
  expect(await probeCommand(script, host)).toMatchObject({ installed: true, version: null });
  const missing = await probeCommand(['no-such-agent', '--acp'], host);
  expect(missing).toMatchObject({ installed: false, missing: 'no-such-agent is not on the PATH' });
  await host.settled();
});
