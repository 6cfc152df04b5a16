import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { appendFile, cp } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { gitServer } from './git-server.ts';
import { type TempFolder, tempFolder } from '../temp-folder.ts';
import { tempHome } from '../zoo-command.ts';

const TIMEOUT = { timeout: 90_000 };
type Home = Awaited<ReturnType<typeof tempHome>>;

const identity = ['-c', 'user.name=T', '-c', 'user.email=t@example.com'];
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', [...identity, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** A repository with one document, its objects in a pack. */
async function repository(text: string): Promise<TempFolder> {
  const folder = await tempFolder({ 'page.md': `# Page\n\n${text}\n` });
  git(folder.path, 'init', '--quiet', '-b', 'main');
  git(folder.path, 'add', '--all');
  git(folder.path, 'commit', '--quiet', '-m', 'a page');
  git(folder.path, 'repack', '-adq');
  git(folder.path, 'pack-refs', '--all');
  return folder;
}

const found = async (home: Home, query: string): Promise<number> => {
  const { out } = await home.zoo(['search', query, '--json']);
  const { results }: { results: unknown[] } = JSON.parse(out);
  return results.length;
};

/** A bare repository in the workspace, as one that was cloned can bring along. */
function bareIn(home: Home, from: string, name = 'docs'): string {
  const path = join(home.work, name);
  git(home.work, 'clone', '--quiet', '--bare', from, path);
  git(path, 'remote', 'remove', 'origin');
  return path;
}

const DOCS = '[connectors.git.docs]\nurl = "docs"\n';

describe('an unapproved workspace with a git source runs nothing', () => {
  it('from a prepared clone in `cache_dir`', TIMEOUT, async () => {
    await using page = await repository('The numbat eats termites.');
    await using home = await tempHome({
      'zoo.toml': `${DOCS}cache_dir = "cache"\n[agents.a]\nsystem_prompt = "x"\n`,
    });
    const docs = bareIn(home, page.path);
    const ran = join(home.path, 'ran');
    const mark = createHash('sha256').update(docs).digest('hex').slice(0, 16);
    const prepared = bareIn(home, page.path, `cache-of-${mark}`);
    mkdirSync(join(home.work, 'cache'));
    renameSync(prepared, join(home.work, 'cache', `${mark}.git`));
    await appendFile(
      join(home.work, 'cache', `${mark}.git`, 'config'),
      `[remote "origin"]\n\tuploadpack = "touch '${ran}'; git-upload-pack"\n[remote "zoo-source"]\n\tuploadpack = "touch '${ran}'; git-upload-pack"\n`,
    );
    await using _hub = { [Symbol.asyncDispose]: async () => void (await home.zoo(['stop'])) };
    await home.serve();
    expect(await home.zoo(['agent', 'list'])).toMatchObject({ code: 0 });
    await vi.waitFor(async () => expect(await found(home, 'termites')).toBe(1), {
      timeout: 90_000,
      interval: 500,
    });
    expect(existsSync(ran)).toBe(false);
    const { out } = await home.zoo(['config', 'check']);
    expect(out).toContain("cache_dir of git source 'docs' is ignored");
    expect(await home.zoo(['trust', '--json'])).toMatchObject({
      out: expect.stringContaining('nothing-to-trust'),
    });
  });

  it('from the config or the hooks of a repository in it', TIMEOUT, async () => {
    await using page = await repository('The numbat eats termites.');
    await using home = await tempHome({ 'zoo.toml': DOCS });
    const docs = bareIn(home, page.path);
    const ran = join(home.path, 'ran');
    const command = join(docs, 'attack.sh');
    await home.write('docs/attack.sh', `#!/bin/sh\ntouch '${ran}'\nexec "$@"\n`);
    chmodSync(command, 0o755);
    mkdirSync(join(docs, 'hooks'), { recursive: true });
    const hooks = ['reference-transaction', 'post-checkout', 'update', 'pre-auto-gc', 'post-index-change'];
    for (const hook of hooks) symlinkSync(command, join(docs, 'hooks', hook));
    await home.write('docs/included', `[core]\n\tfsmonitor = ${command}\n`);
    const settings = [
      `[core]\n\tfsmonitor = ${command}\n\tsshCommand = ${command}\n\talternateRefsCommand = ${command}`,
      `\tpager = ${command}\n\thooksPath = ${join(docs, 'hooks')}\n\tgitProxy = ${command}`,
      `[uploadpack]\n\tpackObjectsHook = ${command}`,
      `[diff]\n\texternal = ${command}\n[filter "x"]\n\tsmudge = ${command}\n\tprocess = ${command}`,
      `[credential]\n\thelper = ${command}\n[include]\n\tpath = included\n[gpg]\n\tprogram = ${command}`,
      `[extensions]\n\tpartialClone = origin`,
      `[remote "origin"]\n\tpromisor = true\n\turl = ext::${command}\n\tuploadpack = ${command}`,
      `[log]\n\tshowSignature = true\n[protocol]\n\tallow = always\n`,
    ];
    await appendFile(join(docs, 'config'), `${settings.join('\n')}\n`);
    await home.write('docs/info/attributes', '* filter=x diff=x\n');
    expect(await home.zoo(['sync'])).toMatchObject({ code: 0, err: '' });
    expect(await found(home, 'termites')).toBe(1);
    expect(existsSync(ran)).toBe(false);
  });

  it('to get objects that a partial clone lacks', TIMEOUT, async () => {
    await using page = await repository('The numbat eats termites.');
    await using home = await tempHome({ 'zoo.toml': DOCS });
    git(page.path, 'config', 'uploadpack.allowFilter', 'true');
    const docs = join(home.work, 'docs');
    git(home.work, 'clone', '--quiet', '--bare', '--filter=blob:none', `file://${page.path}`, docs);
    const ran = join(home.path, 'ran');
    git(docs, 'config', 'remote.origin.uploadpack', `touch '${ran}'; git-upload-pack`);
    await home.zoo(['sync']);
    expect(existsSync(ran)).toBe(false);
    expect(await found(home, 'termites')).toBe(0);
  });
});

/** How a repository in the workspace can be made to stand for `target`, the git folder of another. */
const leads: [string, (docs: string, target: string) => unknown, listed?: boolean][] = [
  ['commondir', (docs, target) => appendFile(join(docs, 'commondir'), `${target}\n`)],
  ['alternates', (docs, target) => borrow(docs, join(target, 'objects'))],
  [
    'relative alternates',
    (docs, target) => borrow(docs, relative(join(docs, 'objects'), `${target}/objects`)),
  ],
  ['objects that are a link', (docs, target) => link(docs, target, 'objects')],
  ['refs that are a link', (docs, target) => link(docs, target, 'refs')],
  ['packed-refs that are a link', (docs, target) => link(docs, target, 'packed-refs')],
  ['a folder of packs that is a link', (docs, target) => link(docs, target, 'objects/pack')],
  ['packs that are links', (docs, target) => linkPacks(docs, target), false],
  ['a folder of objects that is a link', (docs, target) => linkLoose(docs, target), false],
  ['a repository that is a link', (docs, target) => replace(docs, () => symlinkSync(target, docs))],
  [
    'a `.git` that is a link',
    (docs, target) =>
      replace(docs, () => {
        mkdirSync(docs);
        symlinkSync(target, join(docs, '.git'));
      }),
  ],
  [
    'a `.git` file',
    async (docs, target) => {
      replace(docs, () => mkdirSync(docs));
      await appendFile(join(docs, '.git'), `gitdir: ${target}\n`);
    },
  ],
];

async function borrow(docs: string, objects: string): Promise<void> {
  mkdirSync(join(docs, 'objects/info'), { recursive: true });
  await appendFile(join(docs, 'objects/info/alternates'), `${objects}\n`);
}

function replace(path: string, make: () => void): void {
  rmSync(path, { recursive: true });
  make();
}

const link = (docs: string, target: string, part: string) =>
  replace(join(docs, part), () => symlinkSync(join(target, part), join(docs, part)));

function linkPacks(docs: string, target: string): void {
  for (const name of readdirSync(join(target, 'objects/pack')))
    symlinkSync(join(target, 'objects/pack', name), join(docs, 'objects/pack', name));
}

function linkLoose(docs: string, target: string): void {
  const [pack = ''] = readdirSync(join(target, 'objects/pack')).filter((name) => name.endsWith('.pack'));
  const moved = join(target, pack);
  renameSync(join(target, 'objects/pack', pack), moved);
  rmSync(join(target, 'objects/pack'), { recursive: true });
  execFileSync('sh', ['-c', `git --git-dir="$1" unpack-objects -q < "$2"`, 'sh', target, moved]);
  for (const name of readdirSync(join(target, 'objects')).filter((each) => each.length === 2))
    symlinkSync(join(target, 'objects', name), join(docs, 'objects', name));
}

it.each(leads)(
  'an unapproved git source reads no other repository through %s',
  TIMEOUT,
  async (_how, lead, listed = true) => {
    await using page = await repository('The numbat eats termites.');
    await using secret = await repository('The wombat knows the password.');
    await using home = await tempHome({ 'zoo.toml': DOCS });
    const docs = bareIn(home, page.path);
    const target = join(secret.path, '.git');
    const head = git(secret.path, 'rev-parse', 'HEAD').trim();
    await home.write('zoo.toml', `${DOCS}branch = "${head}"\n`);
    await lead(docs, target);
    const { code, out, err } = await home.zoo(['sync']);
    expect(code).toBe(1);
    expect(`${out}${err}`).toMatch(/zoo trust/);
    expect(await found(home, 'wombat password')).toBe(0);
    const { out: trust } = await home.zoo(['trust', '--json']);
    expect(trust).toContain(listed ? '"untrusted"' : '"nothing-to-trust"');
  },
);

const COMMANDS: [string, (mark: string) => string][] = [
  ['ext::', (mark) => `ext::touch ${mark}`],
  ['ext:: behind another scheme', (mark) => `git+ext::touch ${mark}`],
  ['fd::', () => 'fd::17'],
  ['an option', (mark) => `--upload-pack=touch ${mark};`],
  ['a host that is an option', (mark) => `ssh://-oProxyCommand=touch%20${mark}/x`],
  ['a host that is an option, as scp has it', (mark) => `-oProxyCommand=touch\${IFS}${mark}:x`],
];

it.each(COMMANDS)('an approved address runs no command through %s', TIMEOUT, async (_how, address) => {
  await using home = await tempHome({});
  const mark = join(home.path, 'ran');
  await home.write('zoo.toml', `[connectors.git.evil]\nurl = ${JSON.stringify(address(mark))}\n`);
  // Even where the user's own git would allow it.
  await home.write('../.gitconfig', '[protocol "ext"]\n\tallow = always\n[protocol]\n\tallow = always\n');
  await home.zoo(['trust', '--yes']);
  const env = { IFS: ' ', GIT_ALLOW_PROTOCOL: 'ext:fd:ssh' };
  const { code, out, err } = await home.program(['sync'], { env });
  expect([code, `${out}${err}`]).toEqual([1, expect.stringContaining('evil')]);
  expect(existsSync(mark)).toBe(false);
});

it('a git source with named pipes in place of its files blocks nothing', TIMEOUT, async () => {
  await using page = await repository('The numbat eats termites.');
  await using home = await tempHome({
    'zoo.toml': ['refs', 'pack', 'loose', 'head', 'file']
      .map((name) => `[connectors.git.${name}]\nurl = "${name}"\n`)
      .join(''),
    'good.md': 'A document.',
  });
  const pipe = (path: string) => {
    rmSync(path, { force: true });
    execFileSync('mkfifo', [path]);
  };
  pipe(join(bareIn(home, page.path, 'refs'), 'packed-refs'));
  pipe(join(bareIn(home, page.path, 'head'), 'HEAD'));
  const packs = join(bareIn(home, page.path, 'pack'), 'objects/pack');
  for (const name of readdirSync(packs)) pipe(join(packs, name));
  const loose = join(bareIn(home, page.path, 'loose'), 'objects');
  mkdirSync(join(loose, 'ab'));
  pipe(join(loose, 'ab', '0'.repeat(38)));
  mkdirSync(join(home.work, 'file'));
  pipe(join(home.work, 'file/.git'));
  // A process that waits for a pipe never ends.
  const { code, out, err } = await home.program(['sync']);
  expect([code, `${out}${err}`]).toEqual([1, expect.stringMatching(/pack/)]);
});

it('a folder of a git source that is swapped for a link during a sync leads nowhere', TIMEOUT, async () => {
  await using page = await repository('The numbat eats termites.');
  await using secret = await repository('The wombat knows the password.');
  await using home = await tempHome({ 'zoo.toml': DOCS });
  const docs = bareIn(home, page.path);
  const head = git(secret.path, 'rev-parse', 'HEAD').trim();
  await home.write('zoo.toml', `${DOCS}branch = "${head}"\n`);
  const swap = `const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
    const [folder, target] = process.argv.slice(1);
    const round = () => {
      for (let n = 0; n < 50; n++) {
        renameSync(folder, folder + '-kept'); symlinkSync(target, folder);
        unlinkSync(folder); renameSync(folder + '-kept', folder);
      }
      setImmediate(round);
    };
    process.stdout.write('swapping');
    round();`;
  const target = join(secret.path, '.git/objects');
  const swapper = spawn(process.execPath, ['-e', swap, join(docs, 'objects'), target]);
  try {
    await once(swapper.stdout, 'data');
    for (let round = 0; round < 5; round++) expect((await home.zoo(['sync'])).code).not.toBe(0);
  } finally {
    swapper.kill('SIGKILL');
    await once(swapper, 'exit');
  }
  expect(await found(home, 'wombat password')).toBe(0);
});

it('takes no repository from the environment', TIMEOUT, async () => {
  await using page = await repository('The numbat eats termites.');
  await using secret = await repository('The wombat knows the password.');
  await using home = await tempHome({ 'zoo.toml': DOCS });
  bareIn(home, page.path);
  const target = join(secret.path, '.git');
  const env = {
    GIT_DIR: target,
    GIT_COMMON_DIR: target,
    GIT_OBJECT_DIRECTORY: join(target, 'objects'),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: join(target, 'objects'),
    GIT_NAMESPACE: 'x',
    GIT_SHALLOW_FILE: join(target, 'HEAD'),
    GIT_CONFIG_PARAMETERS: "'core.bare=no'",
  };
  expect(await home.program(['sync'], { env })).toMatchObject({ code: 0, err: '' });
  expect(await found(home, 'termites')).toBe(1);
  expect(await found(home, 'wombat')).toBe(0);
});

it('an approval lets a linked working tree in, and a link laid later does not count', TIMEOUT, async () => {
  await using page = await repository('The numbat eats termites.');
  await using secret = await repository('The wombat knows the password.');
  await using home = await tempHome({});
  git(page.path, 'worktree', 'add', '--quiet', '-b', 'side', join(home.work, 'tree'));
  bareIn(home, page.path);
  await home.write('zoo.toml', `[connectors.git.tree]\nurl = "tree"\n${DOCS}`);
  expect(await home.zoo(['sync'])).toMatchObject({ err: expect.stringContaining('zoo trust') });
  const { out } = await home.zoo(['trust', '--yes']);
  expect(out).toContain(join(page.path, '.git'));
  expect(await home.zoo(['sync'])).toMatchObject({ code: 0, err: '' });
  expect(await found(home, 'termites')).toBe(2);
  link(join(home.work, 'docs'), join(secret.path, '.git'), 'objects');
  link(join(home.work, 'docs'), join(secret.path, '.git'), 'packed-refs');
  expect(await home.zoo(['sync'])).toMatchObject({ err: expect.stringContaining('zoo trust') });
  expect(await found(home, 'wombat')).toBe(0);
});

it("approved remotes keep the user's own git settings, without their hooks", TIMEOUT, async () => {
  await using page = await repository('The numbat eats termites.');
  await using server = await gitServer(page.path);
  await using home = await tempHome({
    'zoo.toml': '[connectors.git.remote]\nurl = "https://git.example.com/docs.git"\n',
  });
  const ran = join(home.path, 'ran');
  mkdirSync(join(home.path, 'hooks'));
  await home.write('../hooks/reference-transaction', `#!/bin/sh\ntouch '${ran}'\n`);
  chmodSync(join(home.path, 'hooks/reference-transaction'), 0o755);
  await home.write(
    '../.gitconfig',
    `[url "${server.url}/.git"]\n\tinsteadOf = https://git.example.com/docs.git\n[core]\n\thooksPath = ${home.path}/hooks\n[remote "origin"]\n\tuploadpack = false\n`,
  );
  expect(await home.zoo(['trust', '--yes'])).toMatchObject({ code: 0 });
  expect(await home.program(['sync'])).toMatchObject({ code: 0, err: '' });
  expect(await found(home, 'termites')).toBe(1);
  expect(existsSync(ran)).toBe(false);
});

it('removes clones that an older version left in its cache', TIMEOUT, async () => {
  await using page = await repository('The numbat eats termites.');
  await using home = await tempHome({ 'zoo.toml': DOCS });
  const docs = bareIn(home, page.path);
  expect(await home.zoo(['sync'])).toMatchObject({ code: 0 });
  const caches = join(home.path, 'home/knowledge/cache');
  const cache = join(caches, readdirSync(caches)[0] ?? '');
  await cp(docs, join(cache, '0123456789abcdef.git'), { recursive: true });
  expect(await home.zoo(['sync'])).toMatchObject({ code: 0 });
  expect(readdirSync(cache).filter((name) => name.endsWith('.git'))).toEqual([
    expect.stringMatching(/^[0-9a-f]{32}\.git$/),
  ]);
});
