import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { findWorkspaceFiles } from './workspace-files.ts';

const names = async (folder: string, reference: string) =>
  (await findWorkspaceFiles(folder, reference, 10)).map(({ path }) => path);

it('finds text files by path and by glob, hidden ones by their name alone', async () => {
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
  const [found] = await findWorkspaceFiles(folder.path, 'docs/b.md', 1);
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
