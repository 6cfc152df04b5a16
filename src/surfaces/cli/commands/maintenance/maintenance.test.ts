import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { tempHome } from '../../../../../test/zoo-command.ts';
import { PATIENCE } from '../../../../../test/patience.ts';

test('a backup is made while the hub runs, and restores everything', async () => {
  await using home = await tempHome();
  await home.serve();
  await home.zoo(['agent', 'create', '--name', 'Kept']);
  const file = join(home.path, 'backups', 'zoo.backup');
  expect(await home.zoo(['backup', file])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/Backed up .* to .* \([\d.]+ kB/),
  });
  expect(await home.zoo(['backup', file])).toMatchObject({
    code: 1,
    err: expect.stringContaining('--force'),
  });
  expect(await home.zoo(['backup', file, '--force'])).toMatchObject({ code: 0 });
  await home.zoo(['agent', 'rm', 'kept']);
  await home.zoo(['agent', 'create', '--name', 'Later']);
  expect(await home.zoo(['restore', file])).toMatchObject({ code: 1, err: expect.stringContaining('--yes') });
  const restored = await home.zoo(['restore', file, '--yes', '--json']);
  expect(restored.code).toBe(0);
  const { previous }: { previous: string } = JSON.parse(restored.out);
  expect(existsSync(previous)).toBe(true);
  const { out } = await home.zoo(['agent', 'list']);
  expect(out).toContain('  kept ');
  expect(out).not.toContain('  later ');
});

test('a backup that cannot be written says why, and what to do', async () => {
  await using home = await tempHome({ file: 'text' });
  await home.zoo(['agent', 'create', '--name', 'Kept']);
  const cases = [
    [home.work, 'it is a folder', 'name a file in it, such as'],
    [join(home.work, 'file', 'zoo.db'), 'part of the path is not a folder', 'choose a file in a folder'],
    ['', 'the name of the file is empty', 'name a file, such as zoo-backup.db'],
    ['/dev/null', 'it is not a regular file', 'choose another name'],
  ];
  if (existsSync('/proc/self')) {
    cases.push(['/proc/zoo/a/b.db', 'cannot write', 'choose a file in a folder that you can write to']);
    cases.push(['/proc/zoo.db', 'cannot write', 'choose a file in a folder that you can write to']);
  }
  for (const [name = '', ...said] of cases) {
    const { code, err } = await home.zoo(['backup', name, '--force']);
    expect(code).toBeGreaterThan(0);
    for (const words of said) expect(err.replaceAll(/\s+/g, ' ')).toContain(words);
  }
});

test('files other than backups are refused and change nothing', async () => {
  await using home = await tempHome({ 'not.db': 'hello' });
  await home.zoo(['agent', 'create', '--name', 'Kept']);
  expect(await home.zoo(['restore', 'not.db', '--yes'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('is not a backup'),
  });
  expect(await home.zoo(['restore', 'none.db', '--yes'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('no such file'),
  });
  expect((await home.zoo(['agent', 'list'])).out).toContain('  kept ');
});

test('doctor reports a healthy home, and says how to fix a broken one', async () => {
  await using home = await tempHome();
  expect(await home.zoo(['doctor'])).toMatchObject({ code: 0 });
  const { url } = await home.serve();
  const well = await home.zoo(['doctor']);
  expect(well.code).toBe(0);
  expect(well.out).toMatch(/^ok {4}database .*intact/m);
  expect(well.out).toContain(`running at ${url}`);
  chmodSync(join(home.path, 'home', 'operator-token'), 0o644);
  writeFileSync(join(home.work, 'zoo.toml'), 'not toml');
  // The hub notices the changed file by itself, a moment later.
  await vi.waitFor(async () => {
    const ill = await home.zoo(['doctor', '--json']);
    expect(ill.code).toBe(1);
    expect(JSON.parse(ill.out)).toMatchObject({
      checks: expect.arrayContaining([
        expect.objectContaining({
          name: 'token',
          state: 'fail',
          advice: expect.stringContaining('chmod 600'),
        }),
        expect.objectContaining({ name: 'config', state: 'fail', advice: 'zoo config check' }),
      ]),
    });
  }, PATIENCE);
});

test('config check prints file and line, and fails only for errors', async () => {
  await using home = await tempHome({ 'zoo.toml': '[agents.x]\nsystem_prompt = "x"\nmodle = "m"\n' });
  const warned = await home.zoo(['config', 'check']);
  expect(warned).toMatchObject({ code: 0, out: expect.stringMatching(/^zoo\.toml:3: warning: .*modle/) });
  writeFileSync(join(home.work, 'zoo.toml'), '[agents.x\n');
  expect(await home.zoo(['config', 'check'])).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^zoo\.toml:1: error: /),
  });
});

test.each(['bash', 'zsh', 'fish'])('the completion script for %s is valid', async (shell) => {
  await using home = await tempHome();
  const { code, out } = await home.zoo(['completions', shell, '--name', 'z']);
  expect(code).toBe(0);
  for (const part of ['__complete', 'agent-zoo', 'ctx', ' z']) expect(out).toContain(part);
  const check = spawnSync(shell, ['-n'], { input: out, encoding: 'utf8' });
  // Not every machine has every shell.
  expect(check.error ? '' : check.stderr).toBe('');
});

test('bash completes commands, options, agents, tools, sources, clients and files, also for an alias', async () => {
  await using home = await tempHome({
    'zoo.toml':
      '[connectors.filesystem.docs]\nroot = "docs"\n[tools.mcp.memory]\ncommand = "no-such-command"\n',
    'docs/a.md': '# A\n',
    'notes of mine.md': 'x',
  });
  const { out } = await home.zoo(['completions', 'bash', '--name', 'z']);
  const complete = (line: string): string[] => {
    const script = `alias zoo=false\n${out}\nCOMP_LINE='${line}'; COMP_POINT=${line.length}; _zoo; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return spawnSync('bash', ['-c', script], { cwd: home.work, env: home.env, encoding: 'utf8' })
      .stdout.trim()
      .split('\n');
  };
  for (const [line, values] of [
    ['zoo ag', ['agent']],
    ['z agent un', ['undelete']],
    ['zoo agent list --mode a', ['autonomous']],
    ['zoo agent list --mode=a', ['autonomous']],
    ['zoo agent show g', ['guide']],
    ['zoo --json brain list g', ['guide']],
    ['zoo agent list --del', ['--deleted']],
    ['zoo connect claude-', ['claude-code', 'claude-desktop']],
    ['zoo tools show sear', ['search']],
    ['zoo scope explain guide sear', ['search']],
    ['zoo tools status m', ['memory']],
    ['zoo sync file', ['filesystem:docs']],
    // Bash has split the word at the colon.
    ['zoo sync filesystem:d', ['docs']],
    ['zoo agent import not', ['notes of mine.md']],
    ['zoo --workspace do', ['docs']],
  ] as const) {
    expect({ line, values: complete(line) }).toEqual({ line, values });
  }
});

test('a reader that closes the pipe early is not a failure', async () => {
  await using home = await tempHome();
  const zoo = join(import.meta.dirname, '../../../../../dist/zoo.js');
  const script = `"${process.execPath}" "${zoo}" agent show guide --json | true; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script], {
    cwd: home.work,
    env: home.env,
    encoding: 'utf8',
  });
  expect({ stdout, stderr }).toEqual({ stdout: '0\n', stderr: '' });
});

test('all files that the command writes are private', async () => {
  await using home = await tempHome();
  await home.program(['agent', 'list']);
  expect(statSync(join(home.path, 'home')).mode & 0o077).toBe(0);
});
