import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { homeFiles } from '../../src/platform/home/paths.ts';
import { processStart } from '../../src/platform/processes/process-start.ts';
import { startHub } from '../start-hub.ts';
import { tempFolder } from '../temp-folder.ts';
import { fixture, isAlive } from './upstream-servers.ts';
import { tempHome } from '../zoo-command.ts';
import { PATIENCE } from '../patience.ts';

const isWindows = process.platform === 'win32';

it.skipIf(isWindows)(
  'a server that outlives a killed hub is stopped by the next one, with its child processes',
  async () => {
    await using home = await tempHome();
    const notes = join(home.path, 'notes');
    writeFileSync(notes, '');
    await home.write('zoo.toml', fixture('fixture', 'legacy', { notes, child: true, stubborn: true }));
    const first = await home.serve(['--trust-all']);
    expect((await home.zoo(['tools', 'call', 'fixture.who'])).code).toBe(0);
    const pids = readFileSync(notes, 'utf8')
      .trim()
      .split('\n')
      .map((line) => Number(line.split(' ')[1]));
    const gone = once(first.child, 'exit');
    first.child.kill('SIGKILL');
    await gone;
    expect(pids.map(isAlive)).toEqual([true, true]);

    const second = await home.serve(['--trust-all']);
    await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false, false]), PATIENCE);
    const { log, processes } = homeFiles(home.env['ZOO_HOME'] ?? '');
    await vi.waitFor(() => expect(readFileSync(log, 'utf8')).toContain('left running'), PATIENCE);
    expect((await home.zoo(['tools', 'call', 'fixture.who'])).code).toBe(0);
    await expect.poll(() => readdirSync(processes)).toHaveLength(1);
    const ended = once(second.child, 'exit');
    second.child.kill('SIGTERM');
    await ended;
    expect(readdirSync(processes)).toEqual([]);
  },
);

it.skipIf(isWindows)('processes that reuse an id and servers of other hubs are left alone', async () => {
  await using home = await tempFolder();
  const { processes } = homeFiles(home.path);
  mkdirSync(processes, { recursive: true });
  const record = async (pid: number, start: string, owner: { pid: number; start: string }) => {
    await home.write(`processes/${pid}.json`, JSON.stringify({ pid, start, command: 'node', owner }));
  };
  const children = ['stranger', 'served', 'left'].map(() =>
    spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true }),
  );
  const [stranger = 0, served = 0, left = 0] = children.map(({ pid }) => pid);
  const gone = { pid: stranger, start: 'long ago' };
  const here = { pid: process.pid, start: (await processStart(process.pid)) ?? '' };
  await record(stranger, 'long ago', gone);
  await record(served, (await processStart(served)) ?? '', here);
  await record(left, (await processStart(left)) ?? '', gone);
  await home.write('processes/half.json', '{"pid":');
  {
    await using _hub = await startHub({}, { home: home.path });
    await vi.waitFor(() => expect(readdirSync(processes)).toEqual([`${served}.json`]), PATIENCE);
  }
  expect([stranger, served, left].map(isAlive)).toEqual([true, true, false]);
  for (const child of children) child.kill('SIGKILL');
});
