import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type Outcome, tempHome } from '../zoo-command.ts';

const program = fileURLToPath(new URL('../../dist/zoo.js', import.meta.url));

/** Root may read and write everything, so root runs the program as `nobody`. */
const isRoot = process.getuid?.() === 0;
const user = isRoot ? { uid: 65_534, gid: 65_534 } : {};
const canRun =
  process.platform !== 'win32' &&
  spawnSync(process.execPath, [program, '--version'], { ...user, cwd: '/' }).status === 0;

type Home = Awaited<ReturnType<typeof tempHome>>;

function zooAsUser(home: Home, args: readonly string[], env: object = {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], {
      ...user,
      cwd: home.work,
      env: { ...home.env, ...env },
      timeout: 90_000,
    });
    const outcome: Outcome = { code: null, out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (outcome.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (outcome.err += text));
    child.stdin.end();
    child.once('error', reject);
    child.once('close', (code) => resolve({ ...outcome, code }));
  });
}

/** A home of that user. */
async function userHome(): Promise<Home> {
  const home = await tempHome();
  if (!isRoot) return home;
  for (const folder of [home.path, home.work]) chownSync(folder, 65_534, 65_534);
  // Temporary folders are private to root; that user has to get through them.
  for (let folder = dirname(home.path); (statSync(folder).mode & 0o001) === 0; folder = dirname(folder)) {
    chmodSync(folder, 0o711);
  }
  return home;
}

test.skipIf(!canRun)('a folder on the PATH that may not be read is skipped', async () => {
  await using home = await userHome();
  const locked = join(home.path, 'locked');
  mkdirSync(locked);
  // Without read permission, a file in it cannot be checked either.
  chmodSync(locked, 0);
  const env = { PATH: `${locked}:${home.env['PATH']}` };
  expect(await zooAsUser(home, ['connect'], env)).toMatchObject({ code: 0 });
  expect(await zooAsUser(home, ['connect', 'cursor'], env)).toMatchObject({ code: 0 });
  await home.write('zoo.toml', '[tools.mcp.gone]\ncommand = "no-such-command-anywhere"\n');
  await zooAsUser(home, ['trust', '--yes'], env);
  const status = await zooAsUser(home, ['tools', 'status'], env);
  expect(status.out).toContain('no-such-command-anywhere');
  expect(status.out).not.toContain('executable');
  chmodSync(locked, 0o700);
});

test.skipIf(!canRun)('a home that cannot be created is explained', async () => {
  await using home = await userHome();
  const closed = join(home.path, 'closed');
  mkdirSync(closed);
  chmodSync(closed, 0o555);
  if (isRoot) chownSync(closed, 0, 0);
  const env = { ZOO_HOME: join(closed, 'home') };
  for (const args of [
    ['agent', 'list'],
    ['search', 'x'],
    ['serve', '--port', '0', '--no-open'],
  ]) {
    expect(await zooAsUser(home, args, env)).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        `cannot create the home folder ${env.ZOO_HOME}: ${closed} is not writable`,
      ),
    });
  }
  const doctor = await zooAsUser(home, ['doctor'], env);
  expect(doctor.out).toContain(`${env.ZOO_HOME} cannot be created: ${closed} is not writable`);
  chmodSync(closed, 0o700);
});

test.skipIf(!canRun)('a home that cannot be written to is explained', async () => {
  await using home = await userHome();
  const folder = join(home.path, 'home');
  mkdirSync(folder);
  chmodSync(folder, 0o555);
  for (const args of [
    ['agent', 'list'],
    ['serve', '--port', '0', '--no-open'],
  ]) {
    expect(await zooAsUser(home, args)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^error: cannot write to the home folder .*\nhint: .*ZOO_HOME/),
    });
  }
  const doctor = await zooAsUser(home, ['doctor']);
  expect(doctor).toMatchObject({ code: 1, out: expect.stringContaining('not writable') });
  chmodSync(folder, 0o700);
});
