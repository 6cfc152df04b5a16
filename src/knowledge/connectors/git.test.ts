import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitServer } from '../../../test/knowledge/git-server.ts';
import { contentOf, failuresIn, pathsIn, syncedIndex } from '../../../test/knowledge/synced-index.ts';
import { type TempFolder, tempFolder } from '../../../test/temp-folder.ts';
import { git as connector } from './git.ts';

interface TestRepository extends AsyncDisposable {
  folder: TempFolder;
  git(...args: string[]): string;
  commit(files: Record<string, string>, date?: string): Promise<void>;
}

async function repository(files: Record<string, string>, date?: string): Promise<TestRepository> {
  const folder = await tempFolder();
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
      cwd: folder.path,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const commit = async (changed: Record<string, string>, at = '2026-03-01T00:00:00Z') => {
    for (const [name, content] of Object.entries(changed)) await folder.write(name, content);
    git('add', '--all');
    process.env.GIT_COMMITTER_DATE = at;
    try {
      git('commit', '--quiet', '--allow-empty', '--date', at, '-m', 'a change');
    } finally {
      delete process.env.GIT_COMMITTER_DATE;
    }
  };
  git('init', '--quiet', '-b', 'main');
  await commit(files, date);
  return { folder, git, commit, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

const cloneIn = (home: TempFolder) => {
  const cache = join(home.path, 'cache');
  return join(cache, readdirSync(cache).find((name) => name.endsWith('.git')) ?? '');
};

const updates = (file: string, query = contentOf(file)) =>
  query.documents.map(({ path, text }) => [path, text]);

describe.each([
  ['on a server that can leave old versions out', 'filtered'],
  ['on a server that cannot', 'whole'],
  ['on this machine', 'local'],
])('a repository %s', (_which, kind) => {
  it('is synced after changes, renames and a rewritten history', async () => {
    await using home = await tempFolder();
    await using repo = await repository({
      'docs/a.md': '# A',
      'docs/b ü.md': 'b',
      'src/c.ts': 'let c;',
      'd.bin': '\0',
    });
    await using server = await gitServer(repo.folder.path);
    if (kind === 'filtered') {
      repo.git('config', 'uploadpack.allowFilter', 'true');
      repo.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
    }
    const url = kind === 'local' ? '.' : `${server.url}/.git`;
    const index = syncedIndex(home.path, 'git', repo.folder.path, { url });
    expect(await index.sync()).toMatchObject({ ok: true, counts: { added: 3, skipped: 1 } });
    expect(await index.sync()).toMatchObject({ ok: true, counts: { added: 0, unchanged: 3, bytes: 0 } });

    await repo.commit({ 'docs/a.md': '# A2' });
    repo.git('mv', 'docs/b ü.md', 'docs/moved.md');
    repo.git('rm', '--quiet', 'src/c.ts');
    await repo.commit({ 'new.md': 'new' });
    expect((await index.sync()).counts).toMatchObject({
      added: 1,
      changed: 1,
      moved: 1,
      deleted: 1,
      unchanged: 0,
    });
    expect(updates(index.file)).toEqual([
      ['docs/a.md', '# A2'],
      ['docs/moved.md', 'b'],
      ['new.md', 'new'],
    ]);

    repo.git('checkout', '--quiet', '--orphan', 'fresh');
    repo.git('rm', '-rfq', '.');
    await repo.commit({ 'docs/a.md': '# rewritten' });
    repo.git('branch', '-M', 'fresh', 'main');
    expect(await index.sync()).toMatchObject({ ok: true, counts: { changed: 1, deleted: 2 } });
    expect(updates(index.file)).toEqual([['docs/a.md', '# rewritten']]);
  });
});

it.each([
  ['a path', ''],
  ['an address', 'file://'],
])('indexes a shallow clone given as %s', async (_which, scheme) => {
  await using home = await tempFolder();
  await using repo = await repository({ 'a.md': '# A' });
  await repo.commit({ 'b.md': '# B' });
  await using clone = await tempFolder();
  execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${repo.folder.path}`, clone.path]);
  const index = syncedIndex(home.path, 'git', home.path, { url: `${scheme}${clone.path}` });
  const signal = AbortSignal.timeout(10_000);
  expect(await index.sync({ signal })).toMatchObject({ ok: true, counts: { added: 2 } });
  await repo.commit({ 'c.md': '# C' });
  execFileSync('git', ['-C', clone.path, 'fetch', '--quiet', '--depth=1']);
  execFileSync('git', ['-C', clone.path, 'reset', '--quiet', '--hard', 'origin/main']);
  expect(await index.sync({ signal })).toMatchObject({ ok: true, counts: { added: 1, unchanged: 2 } });
  expect(pathsIn(index.file)).toEqual(['a.md', 'b.md', 'c.md']);
});

it('supports a branch, a root folder and globs', async () => {
  await using home = await tempFolder();
  await using repo = await repository({
    'docs/a.md': 'a',
    'docs/deep/b.md': 'b',
    'docs/c.txt': 'c',
    'd.md': 'd',
  });
  repo.git('checkout', '--quiet', '-b', 'release/1');
  await repo.commit({ 'docs/only-here.md': 'x' });
  repo.git('checkout', '--quiet', 'main');
  const index = syncedIndex(home.path, 'git', repo.folder.path, {
    url: '.',
    root: 'docs/',
    include_globs: ['*.md'],
  });
  await index.sync();
  expect(pathsIn(index.file)).toEqual(['a.md', 'deep/b.md']);
  await index.sync({ config: { branch: 'release/1' } });
  expect(pathsIn(index.file)).toEqual(['a.md', 'deep/b.md', 'only-here.md']);
  await index.sync({ config: { branch: 'release/1', shallow: true } });
  expect(pathsIn(index.file)).toEqual(['a.md', 'deep/b.md', 'only-here.md']);
  expect(await index.sync({ config: { root: 'nowhere' } })).toMatchObject({
    ok: false,
    error: "folder 'nowhere' not found in branch 'main'; its documents are kept. Check `root`",
  });
  expect(await index.sync({ config: { branch: 'nope' } })).toMatchObject({
    ok: false,
    error: expect.stringContaining("branch 'nope' not found in"),
  });
  expect(pathsIn(index.file)).toEqual(['a.md', 'deep/b.md', 'only-here.md']);
});

it('counts links and submodules as skipped, and lists them in a dry run', async () => {
  await using home = await tempFolder();
  await using other = await repository({ 'x.md': 'x' });
  await using repo = await repository({ 'a.md': 'a', '.hidden/b.md': 'b' });
  symlinkSync('a.md', join(repo.folder.path, 'link.md'));
  symlinkSync('a.md', join(repo.folder.path, 'link.txt'));
  for (const folder of ['vendor/lib', '.hidden/lib'])
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.folder.path, folder);
  await repo.commit({});
  const index = syncedIndex(home.path, 'git', repo.folder.path, { url: '.', include_globs: ['*.md'] });
  const dry = await index.sync({ dryRun: true });
  expect(dry.events.flatMap((event) => (event.type === 'skip' ? [[event.path, event.reason]] : []))).toEqual([
    ['link.md', 'is a link'],
    ['vendor/lib/', 'is a submodule; configure it as a separate source to index it'],
  ]);
  expect(await index.sync()).toMatchObject({ ok: true, counts: { added: 1, skipped: 2 } });
  expect(await index.sync()).toMatchObject({ ok: true, counts: { unchanged: 1, skipped: 2 } });
});

it('reports the last change of each file, also after new commits', async () => {
  await using home = await tempFolder();
  await using repo = await repository({ 'a.md': 'a', 'b.md': 'b' }, '2026-01-01T00:00:00Z');
  await repo.commit({ 'b.md': 'b2' }, '2026-02-02T00:00:00Z');
  const index = syncedIndex(home.path, 'git', repo.folder.path, { url: repo.folder.path });
  const dates = async () => {
    await index.sync();
    const { openIndexConnection } = await import('../index/index-connection.ts');
    const db = openIndexConnection(index.file, { readOnly: true });
    const rows = db.all('SELECT path, updated_at FROM document ORDER BY path');
    db.close();
    return Object.fromEntries(rows.map((row) => [row.path, row.updated_at]));
  };
  expect(await dates()).toEqual({ 'a.md': '2026-01-01T00:00:00.000Z', 'b.md': '2026-02-02T00:00:00.000Z' });
  await repo.commit({ 'c.md': 'c', 'a.md': 'a2' }, '2026-03-03T00:00:00Z');
  expect(await dates()).toEqual({
    'a.md': '2026-03-03T00:00:00.000Z',
    'b.md': '2026-02-02T00:00:00.000Z',
    'c.md': '2026-03-03T00:00:00.000Z',
  });
});

it('rebuilds a copy that is broken or was left locked by a killed sync', async () => {
  await using home = await tempFolder();
  await using repo = await repository({ 'a.md': 'a' });
  await using server = await gitServer(repo.folder.path);
  const index = syncedIndex(home.path, 'git', repo.folder.path, { url: `${server.url}/.git` });
  await index.sync();
  const copy = cloneIn(home);
  await repo.commit({ 'a.md': 'b' });
  writeFileSync(join(copy, 'refs', 'zoo', 'head.lock'), '');
  expect(await index.sync()).toMatchObject({ ok: true, counts: { changed: 1 } });
  writeFileSync(join(copy, 'refs', 'zoo', 'head'), 'f'.repeat(40));
  writeFileSync(join(copy, 'packed-refs'), 'x');
  await repo.commit({ 'a.md': 'c' });
  expect(await index.sync()).toMatchObject({ ok: true, counts: { changed: 1 } });
});

it('rebuilds the copy of a local repository when it is damaged, and follows a repack', async () => {
  await using home = await tempFolder();
  await using repo = await repository({ 'a.md': 'a' });
  repo.git('repack', '-adq');
  const index = syncedIndex(home.path, 'git', repo.folder.path, { url: '.' });
  await index.sync();
  const packs = join(cloneIn(home), 'objects', 'pack');
  for (const path of readdirSync(packs).map((name) => join(packs, name))) {
    // Git makes them read-only.
    chmodSync(path, 0o600);
    truncateSync(path, 20);
  }
  await repo.commit({ 'a.md': 'b' });
  expect(await index.sync()).toMatchObject({ ok: true, counts: { changed: 1 } });
  repo.git('repack', '-adq');
  repo.git('pack-refs', '--all');
  await repo.commit({ 'b.md': 'b' });
  expect(await index.sync()).toMatchObject({ ok: true, counts: { added: 1, unchanged: 1 } });
  expect(readdirSync(packs).filter((name) => name.endsWith('.pack'))).toHaveLength(1);
  expect(statSync(join(home.path, 'cache')).mode & 0o777).toBe(0o700);
});

it('reads a linked working tree, borrowed objects and SHA-256 repositories', async () => {
  await using home = await tempFolder();
  await using repo = await repository({ 'a.md': '# A' });
  await using place = await tempFolder();
  repo.git('worktree', 'add', '--quiet', '-b', 'side', join(place.path, 'tree'));
  repo.git('clone', '--quiet', '--shared', '.', join(place.path, 'shared'));
  execFileSync('git', ['init', '--quiet', '--object-format=sha256', join(place.path, 'sha256')]);
  await place.write('sha256/a.md', '# A');
  const sha256 = ['-C', join(place.path, 'sha256'), '-c', 'user.name=T', '-c', 'user.email=t@example.com'];
  execFileSync('git', [...sha256, 'add', '--all']);
  execFileSync('git', [...sha256, 'commit', '--quiet', '-m', 'a change']);
  for (const url of ['tree', 'shared', 'sha256']) {
    const index = syncedIndex(home.path, 'git', place.path, { url });
    expect(await index.sync({ full: true })).toMatchObject({ ok: true, error: null });
    expect(pathsIn(index.file)).toEqual(['a.md']);
  }
});

describe('errors are readable and contain no secrets', () => {
  const failure = async (config: Record<string, unknown>) => {
    await using home = await tempFolder();
    const index = syncedIndex(home.path, 'git', home.path, config);
    const { ok, error } = await index.sync();
    expect(ok).toBe(false);
    const written = readFileSync(index.file).toString('latin1');
    expect(`${error} ${written}`).not.toContain('s3cret');
    return error;
  };

  it.each([
    ['--upload-pack=touch /tmp/x', 'is not a repository URL'],
    ['ext::sh -c true', 'unsupported scheme ext:'],
    ['fd::17', 'unsupported scheme fd:'],
    ['nowhere', 'is not a repository, or you may not read it'],
    ['http://u:s3cret@127.0.0.1:1/x.git', 'http://127.0.0.1:1/x.git could not be reached'],
  ])('%s', async (url, expected) => {
    expect(await failure({ url })).toContain(expected);
  });

  it.each([
    [401, 'login to'],
    [404, 'is not a repository, or you may not read it'],
  ])('a server that returns %i', async (status, expected) => {
    const server = createServer((_request, response) => {
      response.writeHead(status, status === 401 ? { 'www-authenticate': 'Basic realm="x"' } : {}).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const error = await failure({ url: `http://user:s3cret@127.0.0.1:${port}/a.git` });
      expect(error).toContain(expected);
      expect(error).toContain(`http://127.0.0.1:${port}/a.git`);
    } finally {
      server.close();
    }
  });

  it('an empty repository', async () => {
    await using repo = await tempFolder();
    execFileSync('git', ['init', '--quiet', repo.path]);
    expect(await failure({ url: repo.path })).toContain('has no commits yet');
  });
});

it('links files to their web page, without secrets of the address', async () => {
  const at = (url: string) =>
    connector.location({ owner: null, type: 'git', name: 'x', folder: '/', config: { url } });
  expect(at('https://user:s3cret@github.com/acme/docs.git')).toBe('https://github.com/acme/docs.git');
  expect(at('git@github.com:acme/docs.git')).toBe('github.com:acme/docs.git');
  const { webAddress, locateGit } = await import('../git/git-location.ts');
  for (const url of [
    'https://t@github.com/acme/docs.git',
    'git@github.com:acme/docs.git',
    'ssh://git@github.com/acme/docs',
  ]) {
    const location = locateGit({ owner: null, type: 'git', name: 'x', folder: '/', config: { url } });
    expect(webAddress(location, 'main')?.('a b.md')).toBe('https://github.com/acme/docs/blob/main/a%20b.md');
  }
});

it('cancels a hanging fetch', async () => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await using home = await tempFolder();
    const { port } = server.address() as AddressInfo;
    const index = syncedIndex(home.path, 'git', home.path, { url: `http://127.0.0.1:${port}/a.git` });
    const signal = AbortSignal.timeout(300);
    expect(await index.sync({ signal })).toMatchObject({
      ok: false,
      error: expect.stringContaining('stopped'),
    });
    expect(failuresIn(index.file)).toEqual([]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
