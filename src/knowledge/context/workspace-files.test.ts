import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { findWorkspaceFiles } from './workspace-files.ts';

const names = async (folder: string, reference: string) =>
  (await findWorkspaceFiles(folder, reference, { most: 10, hidden: true })).documents.map(({ path }) => path);

it('finds text files by path and by glob, hidden ones only by name', async () => {
  await using folder = await tempFolder({
    'docs/b.md': '# About b\n\nOne.\n\nTwo.',
    'docs/a.md': 'a',
    'docs/deep/c.md': 'c',
    'docs/.hidden.md': 'h',
    'node_modules/x.md': 'x',
  });
  expect(await names(folder.path, 'docs/b.md')).toEqual(['docs/b.md']);
  expect(await names(folder.path, './docs/*.md')).toEqual(['docs/a.md', 'docs/b.md']);
  expect(await names(folder.path, '**/*.md')).toEqual(['docs/a.md', 'docs/b.md', 'docs/deep/c.md']);
  expect(await names(folder.path, 'docs/.hidden.md')).toEqual(['docs/.hidden.md']);
  expect(await names(folder.path, 'docs/none.md')).toEqual([]);
  const {
    documents: [found],
  } = await findWorkspaceFiles(folder.path, 'docs/b.md', { most: 1, hidden: true });
  expect(found).toMatchObject({ id: 'file:docs/b.md', title: 'About b', source: 'workspace' });
  expect(found?.passages.map(({ text }) => text).join('\n')).toBe('# About b\n\nOne.\n\nTwo.');
});

it('reads nothing outside of the folder, and nothing that is large or not text', async () => {
  await using outside = await tempFolder({ 'secret.md': 'secret' });
  await using folder = await tempFolder({ 'large.txt': 'x'.repeat(600_000), 'binary.txt': 'a\0b' });
  mkdirSync(join(folder.path, 'sub'));
  symlinkSync(join(outside.path, 'secret.md'), join(folder.path, 'link.md'));
  symlinkSync(outside.path, join(folder.path, 'sub/elsewhere'));
  for (const reference of [
    'link.md',
    'sub/elsewhere/secret.md',
    '../secret.md',
    join(outside.path, 'secret.md'),
    '**/*.md',
    'sub',
    'large.txt',
    'binary.txt',
  ]) {
    expect(await names(folder.path, reference)).toEqual([]);
  }
});

it('skips the same files as sources, and does not block on pipes', async () => {
  await using folder = await tempFolder({
    '.env': 'KEY=1',
    '.git/config': '[remote]',
    '.gitignore': 'private.md\nbuild/',
    'private.md': 'private',
    'build/out.md': 'built',
    'docs/.hidden/a.md': 'hidden',
    'docs/a.md': 'a',
  });
  execFileSync('mkfifo', [join(folder.path, 'pipe.md')]);
  const found = async (reference: string, hidden: boolean) => {
    const { documents, skipped } = await findWorkspaceFiles(folder.path, reference, { most: 10, hidden });
    return [documents.map(({ path }) => path), skipped];
  };
  for (const path of ['.env', 'private.md', 'build/out.md', 'docs/.hidden/a.md']) {
    expect([path, ...(await found(path, false))]).toEqual([path, [], true]);
    expect([path, ...(await found(path, true))]).toEqual([path, [path], false]);
  }
  expect(await found('.git/config', true)).toEqual([[], true]);
  expect(await found('docs/a.md', false)).toEqual([['docs/a.md'], false]);
  expect(await found('**/*.md', false)).toEqual([['docs/a.md'], true]);
  expect(await found('pipe.md', false)).toEqual([[], false]);
});
