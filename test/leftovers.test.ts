import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { endProcessesOf, processesOf } from '../scripts/leftovers.js';
import { tempFolder } from './temp-folder.ts';

/** Starts a process in a session of its own, prints its id, and exits. */
const ABANDON = `
  const { spawn } = require('node:child_process');
  const idle = ['-e', 'setInterval(() => {}, 1000)'];
  const child = spawn(process.execPath, idle, { detached: true, stdio: 'ignore', cwd: '/', env: { TMPDIR: process.env.TMPDIR } });
  child.unref();
  console.log(child.pid);
`;

it.skipIf(process.platform === 'win32')('finds and ends a process whose parents have exited', async () => {
  await using folder = await tempFolder();
  const parent = spawn(process.execPath, ['-e', ABANDON], { env: { TMPDIR: folder.path } });
  const [pid] = await once(parent.stdout.setEncoding('utf8'), 'data');
  await once(parent, 'close');
  const expected = [
    expect.objectContaining({ pid: Number(pid), command: expect.stringContaining('setInterval') }),
  ];
  expect(processesOf(folder.path)).toEqual(expected);
  expect(await endProcessesOf(folder.path, 0)).toEqual(expected);
  expect(await endProcessesOf(folder.path, 5000)).toEqual([]);
});
