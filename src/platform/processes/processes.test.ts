import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { isAlive } from '../../../test/upstreams/upstream-servers.ts';
import type { Environment } from '../home/paths.ts';
import { createProcesses, type RunningProcess } from './processes.ts';
import { PATIENCE } from '../../../test/patience.ts';

const hubEnv: Environment = { PATH: process.env['PATH'], SECRET_OF_THE_HUB: 'x' };

async function stage(env = hubEnv) {
  const folder = await tempFolder();
  const processes = createProcesses(join(folder.path, 'records'), env);
  const started: RunningProcess[] = [];
  return {
    folder: folder.path,
    processes,
    async node(script: string, more: Record<string, string> = {}) {
      const args = ['-e', script];
      const running = await processes.start({ command: 'node', args, env: more, cwd: folder.path });
      started.push(running);
      return running;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(started.map((each) => each.stop()));
      await processes.settled();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function output(running: RunningProcess): Promise<string> {
  let text = '';
  running.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await running.ended;
  return text;
}

describe('child processes', () => {
  it('share a pair of listeners among writes that wait for a slow reader', async () => {
    const warnings: string[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning.name);
    process.on('warning', onWarning);
    await using staged = await stage();
    const slow = await staged.node('setTimeout(() => process.stdin.resume(), 300)');
    const text = 'x'.repeat(200_000);
    await Promise.all(Array.from({ length: 30 }, () => slow.write(text)));
    await slow.stop();
    await sleep(10);
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });

  it('end with everything they have started, even if they ignore SIGTERM', async () => {
    await using staged = await stage();
    const script = `
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      process.on('SIGTERM', () => {});
      setInterval(() => {}, 1000);
      console.log(child.pid);`;
    const running = await staged.node(script);
    const [line] = await new Promise<string[]>((resolve) => {
      running.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.split('\n')));
    });
    await running.stop();
    await running.ended;
    expect(running.exit()).toMatchObject({ signal: 'SIGKILL' });
    await vi.waitFor(
      () => expect([running.pid, Number(line)].map(isAlive)).toEqual([false, false]),
      PATIENCE,
    );
  });

  it('inherit a harmless part of the environment, and their own variables win', async () => {
    await using staged = await stage({ ...hubEnv, LANG: 'C' });
    const running = await staged.node('console.log(JSON.stringify(process.env))', { LANG: 'de', MINE: '1' });
    const env: unknown = JSON.parse(await output(running));
    expect(env).toMatchObject({ LANG: 'de', MINE: '1', PATH: hubEnv['PATH'] });
    expect(env).not.toHaveProperty('SECRET_OF_THE_HUB');
  });

  it('keep the last lines of their output, without secrets', async () => {
    await using staged = await stage();
    const running = await staged.node('console.error(`key ${process.env.API_KEY}`)', { API_KEY: 'abcd1234' });
    await running.ended;
    expect(running.said()).toBe('key [redacted]');
    await expect(running.write('too late')).rejects.toThrow('has exited');
  });

  it.skipIf(process.platform === 'win32')('are found on the PATH of the hub, not on their own', async () => {
    await using staged = await stage();
    await mkdir(join(staged.folder, 'bin'));
    await writeFile(join(staged.folder, 'bin/node'), '#!/bin/sh\necho swapped\n', { mode: 0o755 });
    const running = await staged.node('console.log("the real one")', { PATH: join(staged.folder, 'bin') });
    expect(await output(running)).toBe('the real one\n');
  });

  it('report a missing program, also behind an unreadable folder on the PATH', async () => {
    await using staged = await stage({ PATH: '' });
    const locked = join(staged.folder, 'locked');
    await mkdir(locked);
    await chmod(locked, 0o000);
    const processes = createProcesses(join(staged.folder, 'records'), { PATH: locked });
    const launch = { command: 'no-such-program', args: [], env: {}, cwd: staged.folder };
    await expect(processes.start(launch)).rejects.toMatchObject({ code: 'ENOENT' });
    await chmod(locked, 0o700);
  });

  it('are recorded on disk while they run', async () => {
    await using staged = await stage();
    const running = await staged.node('setInterval(() => {}, 1000)');
    await staged.processes.settled();
    const file = join(staged.folder, 'records', `${running.pid}.json`);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ pid: running.pid, command: 'node' });
    await running.stop();
    await running.ended;
    await staged.processes.settled();
    await expect(readFile(file, 'utf8')).rejects.toThrow('ENOENT');
  });
});
