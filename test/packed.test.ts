import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { runNpm } from '../scripts/npm.js';
import { MODULE, PROGRAM } from './packed-program.ts';
import { tempFolder } from './temp-folder.ts';

const run = promisify(execFile);
const ours = (path: string) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url));

it('works as an installed package, under each of its names', { timeout: 600_000 }, async () => {
  await using folder = await tempFolder({
    'work/.claude/agents/helper.md': '---\nname: helper\ndescription: Helps\n---\nYou help.\n',
    'work/zoo.toml':
      '[agents.module.module]\npath = "agents/module.ts"\n[agents.script.counter]\npath = "agents/counter.lua"\n',
    'work/agents/module.ts': MODULE,
    'program.mts': PROGRAM,
    'work/agents/counter.lua':
      'return { description = "Counts", resolve = function() return { system = ("1"):rep(3, " ") } end }',
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
  const cwd = join(folder.path, 'work');
  const command = (name: string, ...args: string[]) =>
    run(join(folder.path, 'node_modules/.bin', name), args, { cwd, env });
  expect((await command('zoo', '--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  await command('zoo', 'trust', '--yes');
  expect((await command('agent-zoo', 'agent', 'list')).stdout).toMatch(
    /counter.*\[lua\].*guide.*\[editor\].*helper.*\[markdown\].*module.*\[typescript\]/s,
  );
  expect((await command('ctx', 'agent', 'test', 'helper')).stdout).toContain('You help.');
  expect((await command('ctx', 'agent', 'test', 'module')).stdout).toContain('You are a module.');
  expect((await command('zoo', 'agent', 'test', 'counter')).stdout).toContain('1 1 1');
  await command('zoo', 'agent', 'create', '--name', '深圳 助手');
  expect((await command('zoo', 'agent', 'list')).stdout).toContain('shen-zhen-zhu-shou');
  await command('zoo', 'agent', 'rm', 'shen-zhen-zhu-shou');

  const strict = [
    '--strict',
    '--target',
    'es2023',
    '--module',
    'nodenext',
    '--ignoreConfig',
    '--types',
    'node',
  ];
  await run(process.execPath, [
    ours('typescript/bin/tsc'),
    ...strict,
    '--typeRoots',
    ours('@types'),
    join(folder.path, 'program.mts'),
  ]).catch((error: { stdout?: string }) => Promise.reject(new Error(error.stdout)));
  const { stdout } = await run(process.execPath, [join(folder.path, 'program.mjs')], { cwd, env });
  expect(JSON.parse(stdout)).toMatchObject({
    names: ['counter', 'guide', 'helper', 'inner', 'module', 'typed'],
    system: 'You help Ada with 0 documents.',
    prompt: { result: { system: '3' } },
  });
});
