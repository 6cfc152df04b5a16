import { chmod, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { ensurePrivateFolder, isPrivateFolder } from './private-folder.ts';

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

it.skipIf(process.platform === 'win32')('makes a folder private', async () => {
  await using folder = await tempFolder();
  const home = join(folder.path, 'a', 'home');
  ensurePrivateFolder(home);
  expect(await modeOf(home)).toBe(0o700);
  await chmod(home, 0o777);
  expect(isPrivateFolder(home)).toBe(false);
  ensurePrivateFolder(home);
  expect(await modeOf(home)).toBe(0o700);
  expect(isPrivateFolder(home)).toBe(true);
});

it.skipIf(process.platform === 'win32')('does not change a folder that is shared on purpose', async () => {
  await using folder = await tempFolder();
  const shared = join(folder.path, 'shared');
  await mkdir(shared);
  await chmod(shared, 0o1777);
  expect(() => ensurePrivateFolder(shared)).toThrow('shared with other users');
  expect(await modeOf(shared)).toBe(0o777);
});
