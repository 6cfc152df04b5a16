import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { makeFolder } from './make-folder.ts';

test('creates a folder with its parents, and accepts an existing one', async () => {
  await using folder = await tempFolder({});
  const deep = join(folder.path, 'a', 'b', 'c');
  makeFolder(deep, 0o700);
  makeFolder(deep, 0o700);
  expect(statSync(deep).mode & 0o777).toBe(0o700);
});

test('fails where a parent is a file', async () => {
  await using folder = await tempFolder({ file: 'text' });
  expect(() => makeFolder(join(folder.path, 'file'))).toThrow('EEXIST');
  expect(() => makeFolder(join(folder.path, 'file', 'b', 'c'))).toThrow('ENOTDIR');
});

test.runIf(existsSync('/proc/self'))('fails at once where no folders can be created', () => {
  expect(() => makeFolder('/proc/zoo/a/b')).toThrow('ENOENT');
});
