import { execFileSync } from 'node:child_process';
import { mkdir, rename, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { stage } from '../../../test/knowledge/staged-folder.ts';
import { contentOf, failuresIn, pathsIn, syncedIndex } from '../../../test/knowledge/synced-index.ts';
import { tempFolder } from '../../../test/temp-folder.ts';
import { filesystem } from '../connectors/filesystem.ts';
import type { Connector } from '../connector.ts';

const none = { added: 0, changed: 0, moved: 0, deleted: 0, unchanged: 0, skipped: 0, failed: 0 };

describe('a sync of a folder', () => {
  it('applies new, changed, moved and deleted files, and does not read unchanged ones', async () => {
    await using at = await stage({
      'a.md': '# A\n\nalpha',
      'b.txt': 'beta',
      'sub/c.md': 'gamma',
      'd.md': 'delta',
    });
    const first = await at.index.sync();
    expect(first).toMatchObject({ ok: true, counts: { ...none, scanned: 4, added: 4 } });

    await at.docs.write('a.md', '# A\n\nanother');
    await rename(join(at.docs.path, 'b.txt'), join(at.docs.path, 'sub', 'moved.txt'));
    await unlink(join(at.docs.path, 'd.md'));
    await at.docs.write('e.md', 'epsilon');
    const second = await at.index.sync();
    expect(second.counts).toMatchObject({
      ...none,
      added: 1,
      changed: 1,
      moved: 1,
      deleted: 1,
      unchanged: 1,
    });
    expect(second.events.filter(({ type }) => type === 'change')).toEqual(
      [
        ['a.md', 'changed'],
        ['e.md', 'added'],
        ['sub/moved.txt', 'moved', 'b.txt'],
        ['d.md', 'deleted'],
      ].map(([path, change, from]) => ({
        type: 'change',
        source: 'filesystem:notes',
        path,
        change,
        ...(from === undefined ? {} : { from }),
      })),
    );

    await using home = await tempFolder();
    const fresh = syncedIndex(home.path, 'filesystem', at.docs.path, { root: '.' });
    await fresh.sync();
    expect(contentOf(at.index.file)).toEqual(contentOf(fresh.file));
  });

  it('detects a change that kept size and mtime', async () => {
    await using at = await stage({ 'a.md': 'one' });
    const file = join(at.docs.path, 'a.md');
    const long = new Date('2020-01-01T00:00:00Z');
    await utimes(file, long, long);
    await at.index.sync();
    await writeFile(file, 'two');
    await utimes(file, long, long);
    expect((await at.index.sync()).counts).toMatchObject({ changed: 1 });
  });

  it('lists changes in a dry run without applying them', async () => {
    await using at = await stage({ 'a.md': 'one', 'b.md': 'two' });
    const first = await at.index.sync({ dryRun: true });
    expect(first.counts).toMatchObject({ added: 2 });
    expect(contentOf(at.index.file).items).toEqual([]);
    await at.index.sync();
    const before = contentOf(at.index.file);
    await at.docs.write('a.md', 'changed');
    await rename(join(at.docs.path, 'b.md'), join(at.docs.path, 'c.md'));
    const dry = await at.index.sync({ dryRun: true });
    expect(dry.counts).toMatchObject({ changed: 1, moved: 1, deleted: 0 });
    expect(contentOf(at.index.file)).toEqual(before);
  });

  it('reports the same skipped, failed and indexed files in a dry run as the sync does', async () => {
    await using at = await stage({
      'a.md': 'one',
      'bytes.txt': Uint8Array.from({ length: 200 }, (_, n) => n % 7),
      'logo.png': 'x',
      'broken.pdf': '%PDF-1.4 broken',
    });
    const { counts: seen } = await at.index.sync({ dryRun: true });
    const { counts: done } = await at.index.sync();
    expect(seen).toEqual({ ...done, chunks: 0 });
    const again = await at.index.sync({ dryRun: true });
    expect(again.events.filter(({ type }) => type === 'skip')).toEqual(
      ['logo.png', 'bytes.txt'].map((path) => ({
        type: 'skip',
        source: 'filesystem:notes',
        path,
        reason: 'is not text',
      })),
    );
  });

  it('splits all documents again after a settings change, and reads all again with --full', async () => {
    const long = Array.from({ length: 50 }, (_, n) => `Sentence number ${n} of this text.`).join('\n');
    await using at = await stage({ 'a.txt': long });
    await at.index.sync();
    const before = contentOf(at.index.file).chunks.length;
    await at.index.sync({ settings: { maxTokens: 40, overlapTokens: 0 } });
    expect(contentOf(at.index.file).chunks.length).toBeGreaterThan(before * 2);
    const full = await at.index.sync({ full: true });
    expect(full.counts).toMatchObject({ unchanged: 1, chunks: before });
    expect(contentOf(at.index.file).chunks.length).toBe(before);
  });

  it('continues after an interruption', async () => {
    const files = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`${n}.md`, `number ${n}`]));
    await using at = await stage(files);
    const stop = new AbortController();
    let changes = 0;
    const stopped = await at.index.sync({
      signal: stop.signal,
      emit: ({ type }) => void (type === 'change' && ++changes === 400 && stop.abort()),
    });
    expect(stopped).toMatchObject({ ok: false, error: expect.stringContaining('The sync was stopped') });
    const kept = pathsIn(at.index.file).length;
    expect(kept).toBeGreaterThan(200);
    const next = await at.index.sync();
    expect(next).toMatchObject({ ok: true, counts: { added: 600 - kept, unchanged: kept } });
  });
});

describe('indexed files', () => {
  const files = {
    'a.md': '1',
    'src/b.ts': '2',
    'dist/c.js': '3',
    'sub/.gitignore': '*.log\n!keep.log\n/only-here',
    'sub/x.log': '4',
    'sub/keep.log': '5',
    'sub/only-here': '6',
    'sub/deep/only-here': '7',
    '.gitignore': 'dist\n*.tmp',
    'y.tmp': '8',
    '.env': 'SECRET=1',
    '.github/ci.yml': '9',
    'node_modules/p/readme.md': '10',
    '.git/config': '11',
    'logo.png': '12',
    'bytes.txt': Uint8Array.from({ length: 200 }, (_, n) => n % 7),
  };

  it('exclude git-ignored files, hidden names, packages and binary files', async () => {
    await using at = await stage(files);
    const { counts } = await at.index.sync();
    expect(pathsIn(at.index.file)).toEqual(['a.md', 'src/b.ts', 'sub/deep/only-here', 'sub/keep.log']);
    expect(counts).toMatchObject({ skipped: 2, failed: 0 });
    expect((await at.index.sync()).counts).toMatchObject({ skipped: 2, unchanged: 4 });
  });

  it('exclude files in .git/info/exclude, also of linked and nested working trees', async () => {
    await using at = await stage({
      'repo/.git/info/exclude': 'notes.md\n*.log\n',
      'repo/.git/worktrees/w/commondir': '../..\n',
      'repo/.gitignore': '!keep.log\n',
      'repo/a.md': '1',
      'repo/notes.md': '2',
      'repo/keep.log': '3',
      'repo/sub/notes.md': '4',
      'repo/sub/b.md': '4',
      'w/.git': 'gitdir: ../repo/.git/worktrees/w\n',
      'w/a.md': '5',
      'w/notes.md': '6',
      'notes.md': '7',
    });
    await at.index.sync();
    expect(pathsIn(at.index.file)).toEqual([
      'notes.md',
      'repo/a.md',
      'repo/keep.log',
      'repo/sub/b.md',
      'w/a.md',
    ]);
    await at.index.sync({ config: { root: 'repo/sub' } });
    expect(pathsIn(at.index.file)).toEqual(['b.md']);
  });

  it.each([
    ['where git looks by itself', {}, '.config/git/ignore'],
    ['where its settings say', { '.gitconfig': '[core]\n\texcludesFile = ~/mine\n' }, 'mine'],
  ])("exclude files in the user's own ignore list, %s", async (_where, settings, list) => {
    await using at = await stage({
      'repo/.git/info/exclude': '!b.swp\n',
      'repo/a.md': '1',
      'repo/a.swp': '2',
      'repo/b.swp': '3',
      'repo/sub/c.swp': '4',
      'repo/sub/e.md': '6',
      'd.swp': '5',
    });
    await using user = await tempFolder({ ...settings, [list]: '*.swp\n' });
    vi.stubEnv('HOME', user.path);
    vi.stubEnv('XDG_CONFIG_HOME', undefined);
    vi.stubEnv('GIT_CONFIG_GLOBAL', undefined);
    try {
      await at.index.sync();
      expect(pathsIn(at.index.file)).toEqual(['d.swp', 'repo/a.md', 'repo/b.swp', 'repo/sub/e.md']);
      await at.index.sync({ config: { root: 'repo/sub' } });
      expect(pathsIn(at.index.file)).toEqual(['e.md']);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it.each([
    [{ include_globs: ['*.md'] }, ['a.md']],
    [{ include_globs: ['**/*.ts', 'sub/**'] }, ['src/b.ts', 'sub/deep/only-here', 'sub/keep.log']],
    [{ include_globs: ['.github/**'] }, ['.github/ci.yml']],
    [{ exclude_globs: ['sub/**', '*.ts'] }, ['a.md']],
  ])('match the globs: %j', async (config, expected) => {
    await using at = await stage(files, config);
    await at.index.sync();
    expect(pathsIn(at.index.file)).toEqual(expected);
  });

  it('exclude files that a repository above the root ignores', async () => {
    await using at = await stage(
      {
        '.git/HEAD': '',
        '.gitignore': '*.log\nignored',
        'docs/a.log': '1',
        'docs/a.md': '2',
        'ignored/b.md': '3',
      },
      { root: 'docs' },
    );
    await at.index.sync();
    expect(pathsIn(at.index.file)).toEqual(['a.md']);
    // An ignored folder is indexed if it is configured as the root.
    await at.index.sync({ config: { root: 'ignored' } });
    expect(pathsIn(at.index.file)).toEqual(['b.md']);
  });

  it('follow links only if configured, without cycles', async () => {
    await using outside = await tempFolder({ 'far.md': 'far', 'more/near.md': 'near' });
    await using at = await stage({ 'a.md': '1', 'sub/b.md': '2' });
    const link = (target: string, name: string) => symlink(target, join(at.docs.path, name));
    await link('.', 'self');
    await link('..', 'sub/up');
    await link('sub', 'again');
    await link(at.docs.path, 'sub/root');
    await link(outside.path, 'outside');
    await symlink(at.docs.path, join(outside.path, 'back'));
    await link(join(outside.path, 'more'), 'twice');
    await link('nowhere', 'dangling.md');
    await link('dangling-too.md', 'dangling-too.md');
    await link('a.md', 'linked.md');
    await at.index.sync();
    expect(pathsIn(at.index.file)).toEqual(['a.md', 'sub/b.md']);
    await at.index.sync({ config: { follow_symlinks: true } });
    expect(pathsIn(at.index.file)).toEqual(['a.md', 'outside/far.md', 'outside/more/near.md', 'sub/b.md']);
    expect(failuresIn(at.index.file).map(([path]) => path)).toEqual(['dangling-too.md', 'dangling.md']);
  });
});

describe('failures', () => {
  it('skips pipes and sockets', async () => {
    await using at = await stage({ 'a.md': '1' });
    execFileSync('mkfifo', [join(at.docs.path, 'pipe.md'), join(at.docs.path, '.gitignore')]);
    expect(await at.index.sync()).toMatchObject({ ok: true, counts: { added: 1, skipped: 1 } });
  });

  it('keeps all documents when the root is missing, a file, or replaced by an empty folder', async () => {
    await using at = await stage({ 'docs/a.md': '1', 'docs/b.md': '2' }, { root: 'docs' });
    await at.index.sync();
    const before = contentOf(at.index.file);
    const docs = join(at.docs.path, 'docs');
    await rename(docs, `${docs}-away`);
    const gone = await at.index.sync();
    expect(gone).toMatchObject({ ok: false, error: expect.stringContaining('its documents are kept') });
    await writeFile(docs, '');
    expect(await at.index.sync()).toMatchObject({
      ok: false,
      error: expect.stringContaining('is not a folder'),
    });
    await rm(docs);
    await mkdir(docs);
    expect(await at.index.sync()).toMatchObject({ ok: false, error: expect.stringContaining('--full') });
    expect(contentOf(at.index.file)).toEqual(before);
    expect(await at.index.sync({ full: true })).toMatchObject({ ok: true, counts: { deleted: 2 } });
  });

  it('keeps all documents when the root vanishes during a scan', async () => {
    await using at = await stage(
      { 'docs/a/1.md': '1', 'docs/b/2.md': '2', 'docs/c/3.md': '3' },
      { root: 'docs' },
    );
    await at.index.sync();
    const before = contentOf(at.index.file);
    const docs = join(at.docs.path, 'docs');
    const vanishing: Connector = {
      ...filesystem,
      async *scan(source, context) {
        const scan = filesystem.scan(source, context);
        const first = await scan.next();
        if (!first.done) yield first.value;
        await rename(docs, `${docs}-away`);
        yield* scan;
      },
    };
    const result = await at.index.sync({ connector: vanishing });
    expect(result).toMatchObject({
      ok: false,
      error: expect.stringContaining('does not exist; its documents are kept'),
    });
    expect(contentOf(at.index.file)).toEqual(before);
  });

  it('treats a folder that is deleted during a scan as deleted', async () => {
    await using at = await stage({ 'a/1.md': '1', 'b/2.md': '2' });
    await at.index.sync();
    const vanishing: Connector = {
      ...filesystem,
      async *scan(source, context) {
        const scan = filesystem.scan(source, context);
        const first = await scan.next();
        if (!first.done) yield first.value;
        await rm(join(at.docs.path, 'b'), { recursive: true });
        return yield* scan;
      },
    };
    expect(await at.index.sync({ connector: vanishing })).toMatchObject({ ok: true, counts: { deleted: 1 } });
  });

  it('keeps and reports documents in an unreadable folder, and retries', async () => {
    await using at = await stage({ 'a/1.md': '1', 'b/2.md': '2' });
    await at.index.sync();
    const blind: Connector = {
      ...filesystem,
      async *scan(_source, context) {
        yield* [];
        context.unseen('b/', 'may not be read: permission denied');
      },
    };
    const result = await at.index.sync({ connector: blind });
    expect(result).toMatchObject({ ok: true, counts: { deleted: 1, failed: 1 } });
    expect(pathsIn(at.index.file)).toEqual(['b/2.md']);
    expect(failuresIn(at.index.file)).toEqual([['b/', 'may not be read: permission denied']]);
    await at.index.sync();
    expect(pathsIn(at.index.file)).toEqual(['a/1.md', 'b/2.md']);
    expect(failuresIn(at.index.file)).toEqual([]);
  });

  it('keeps the last version of an unreadable file, and retries', async () => {
    await using at = await stage({ 'a.md': '1', 'b.md': '2' });
    await at.index.sync();
    await at.docs.write('b.md', '22');
    const broken: Connector = {
      ...filesystem,
      async *scan(source, context) {
        yield* filesystem.scan(source, context);
        // A folder replaces the file between the scan and the read.
        await rm(join(at.docs.path, 'b.md'));
        await mkdir(join(at.docs.path, 'b.md'));
      },
    };
    const result = await at.index.sync({ connector: broken });
    expect(result).toMatchObject({ ok: true, counts: { unchanged: 1, failed: 1 } });
    expect(failuresIn(at.index.file)).toEqual([['b.md', 'is not a regular file']]);
    expect(contentOf(at.index.file).documents.map(({ text }) => text)).toEqual(['1', '2']);
    await rm(join(at.docs.path, 'b.md'), { recursive: true });
    await at.docs.write('b.md', '22');
    expect(await at.index.sync()).toMatchObject({ ok: true, counts: { changed: 1, failed: 0 } });
    expect(failuresIn(at.index.file)).toEqual([]);
  });
});
