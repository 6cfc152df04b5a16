import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { createProcesses } from '../../platform/processes/processes.ts';
import { createSandbox } from './sandbox.ts';
import { whyNot, works } from '../../../test/teams/in-sandbox.ts';
import { memberIn, stage } from '../../../test/teams/sandbox-stage.ts';

test('a missing bubblewrap is reported with a fix', async () => {
  await using root = await tempFolder();
  const env = { PATH: root.path };
  const processes = createProcesses(join(root.path, 'processes'), env);
  const sandbox = createSandbox({ processes, env, zooHome: root.path, hubSocket: '', hubProgram: '' });
  expect(await sandbox.missing()).toContain('bubblewrap is not installed');
});

// User namespaces are forbidden in some containers; the arguments of bwrap are tested everywhere.
describe.runIf(works)(`in a sandbox of bubblewrap${whyNot}`, () => {
  test('the home of the user and the folder of the hub are hidden, but for named credentials', async () => {
    await using at = await stage();
    expect(await at.sandbox.missing()).toBeNull();
    expect(await at.shell(`cat ${at.home}/secret`)).toContain('No such file');
    expect(await at.shell(`cat ${at.zooHome}/secret`)).toContain('No such file');
    expect(await at.shell(`cat ${at.home}/token`)).toBe('of the harness');
    expect(await at.shell(`echo x > ${at.home}/token`)).toMatch(/Read-only|denied/);
  });

  test('a home of its own is kept from one process to the next', async () => {
    await using at = await stage();
    await at.shell('echo kept > ~/session');
    expect(await at.shell('cat ~/session')).toBe('kept');
    expect(await at.shell('ls -a ~')).not.toContain('secret');
  });

  test('only the workspace is writable, and reviewers see it read-only', async () => {
    await using at = await stage();
    expect(await at.shell('echo hello > new && cat new')).toBe('hello');
    expect(await at.shell('echo x > /etc/zoo-test')).toMatch(/Read-only/);
    expect(await at.shell('echo x > /zoo-test')).toMatch(/Read-only/);
    await at.shell('echo x > ../outside');
    expect(existsSync(join(at.folder, '../outside'))).toBe(false);
    const reviewer = memberIn(at.folder, { role: 'reviewer' });
    expect(await at.shell('cat new; echo x > new', reviewer)).toMatch(/hello[\s\S]*Read-only/);
  });

  test('processes, /tmp and the environment are its own', async () => {
    await using at = await stage();
    await using other = await tempFolder();
    expect(await at.shell(`ls ${other.path}`)).toContain('No such file');
    expect(await at.shell('echo /proc/[0-9]*')).not.toContain(`/proc/${process.pid}`);
    const env = (await at.shell('env')).split('\n').map((line) => line.split('=')[0]);
    expect(env).toEqual(expect.arrayContaining(['OWN', 'HOME', 'PATH']));
    expect(env).not.toContain('API_KEY');
    const hosts = await at.shell('readlink /proc/self/ns/pid /proc/self/ns/uts /proc/self/ns/ipc');
    const outside = execFileSync('readlink', ['/proc/self/ns/pid', '/proc/self/ns/uts', '/proc/self/ns/ipc']);
    const shared = new Set(outside.toString().trim().split('\n'));
    expect(hosts.split('\n').filter((name) => shared.has(name))).toEqual([]);
  });

  test('git hooks and settings of the workspace cannot be changed', async () => {
    await using at = await stage();
    execFileSync('git', ['init', '-q', at.folder]);
    expect(await at.shell('echo x >> .git/config')).toMatch(/Read-only/);
    expect(await at.shell('echo x > .git/hooks/post-merge')).toMatch(/Read-only/);
    expect(await at.shell('mv .git/hooks .git/other')).toMatch(/busy/);
    expect(
      await at.shell(
        'git add -A && git -c user.name=a -c user.email=b commit -qm x --allow-empty; git log --oneline | wc -l',
      ),
    ).toBe('1');
  });

  test('a link in place of the workspace, or of its git settings, shows nothing more', async () => {
    await using at = await stage();
    mkdirSync(join(at.home, 'private'));
    writeFileSync(join(at.home, 'private', 'config'), 'secret of the user');
    symlinkSync(join(at.home, 'private'), join(at.folder, '.git'));
    expect(await at.shell('cat .git/config')).not.toContain('secret');
    symlinkSync(at.home, join(at.folder, 'sub'));
    await expect(at.shell('ls', memberIn(join(at.folder, 'sub')))).rejects.toThrow('no longer a folder');
    await expect(at.shell('ls', memberIn(at.home))).rejects.toThrow('contains your home folder');
  });

  test('hard links and mounts show nothing of what is outside', async () => {
    await using at = await stage();
    expect(await at.shell(`ln ${at.home}/token linked`)).toMatch(/cross-device|denied|not permitted/i);
    await at.shell(`ln ${at.home}/secret linked; ln ${at.zooHome}/secret linked`);
    await at.shell(`mkdir -p over && mount --bind ${at.home} over`);
    // It may be the root of a namespace of its own, where mounts show what it sees anyway.
    await at.shell(
      `unshare --user --map-root-user --mount sh -c 'mount --bind / over; cp over/${at.home}/secret stolen'`,
    );
    expect(readdirSync(at.folder)).toEqual(['over']);
    expect(readdirSync(join(at.folder, 'over'))).toEqual([]);
  });

  test('everything that a member started ends with it', async () => {
    await using at = await stage();
    await at.shell('setsid sleep 4321 & sleep 0.2');
    expect(spawnSync('pgrep', ['-f', 'sleep 4321']).stdout.toString()).toBe('');
  });
});
