import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { runNpm } from '../scripts/npm.js';
import { tempFolder } from './temp-folder.ts';

const run = promisify(execFile);

it('works as the package that people install, under each of its names', { timeout: 120_000 }, async () => {
  await using folder = await tempFolder({
    'work/.claude/agents/helper.md': '---\nname: helper\ndescription: Helps\n---\nYou help.\n',
  });
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // Without scripts: the build is there, and a second one would pull the chunks from under other tests.
  expect(runNpm(['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder.path])).toBe(0);
  const tarball = (await readdir(folder.path)).find((name) => name.endsWith('.tgz')) ?? '';
  expect(
    runNpm(['install', ...quiet, '--prefix', folder.path, join(folder.path, tarball)], folder.path),
  ).toBe(0);

  const env = {
    PATH: process.env['PATH'],
    HOME: folder.path,
    ZOO_HOME: join(folder.path, 'home'),
    ZOO_CONFIG_DIR: join(folder.path, 'config'),
  };
  const command = (name: string, ...args: string[]) =>
    run(join(folder.path, 'node_modules/.bin', name), args, { cwd: join(folder.path, 'work'), env });
  expect((await command('zoo', '--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect((await command('agent-zoo', 'agent', 'list')).stdout).toMatch(
    /guide.*\[editor\]\n.*helper.*\[markdown\]/s,
  );
  expect((await command('ctx', 'agent', 'test', 'helper')).stdout).toContain('You help.');
});
