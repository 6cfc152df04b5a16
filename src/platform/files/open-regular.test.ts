import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { OutsideError, readStart } from './open-regular.ts';

test('reads files inside, also through links that stay inside, and nothing outside', async () => {
  await using outside = await tempFolder({ 'secret.txt': 'secret' });
  await using folder = await tempFolder({ 'real/a.txt': 'plain' });
  symlinkSync('real', join(folder.path, 'inner'));
  symlinkSync(outside.path, join(folder.path, 'outer'));
  expect(await readStart(join(folder.path, 'inner/a.txt'), folder.path)).toBe('plain');
  await expect(readStart(join(folder.path, 'outer/secret.txt'), folder.path)).rejects.toThrow(OutsideError);
  expect(await readStart(join(folder.path, 'outer/secret.txt'), null)).toBe('secret');
  expect(await readStart(join(folder.path, 'missing/b.txt'), folder.path)).toBeNull();
  expect(await readStart(join(folder.path, 'real'), folder.path)).toBeNull();
});

test.skipIf(process.platform === 'win32')('does not block on a pipe', async () => {
  await using folder = await tempFolder();
  execFileSync('mkfifo', [join(folder.path, 'pipe')]);
  expect(await readStart(join(folder.path, 'pipe'), folder.path)).toBeNull();
});

test('reads nothing outside while a folder is swapped for a link', async () => {
  await using outside = await tempFolder({ 'a.txt': 'secret' });
  await using folder = await tempFolder({ 'kept/a.txt': 'plain' });
  const [kept, swapped] = [join(folder.path, 'kept'), join(folder.path, 'swapped')];
  renameSync(kept, swapped);
  const swap = `const { renameSync, symlinkSync, rmSync } = require('node:fs');
    const [kept, swapped, outside] = process.argv.slice(1);
    const wait = () => { for (let n = Math.random() * 20_000; n > 0; n--); };
    for (;;) {
      renameSync(swapped, kept); symlinkSync(outside, swapped); wait();
      rmSync(swapped); renameSync(kept, swapped); wait();
    }`;
  const child = spawn(process.execPath, ['-e', swap, kept, swapped, outside.path], { stdio: 'ignore' });
  const seen = new Set<string | null>();
  try {
    const until = Date.now() + 3_000;
    const both = () => seen.has('plain') && seen.has('refused');
    while (Date.now() < until || (!both() && Date.now() < until + 10_000)) {
      seen.add(await readStart(join(swapped, 'a.txt'), folder.path).catch(() => 'refused'));
    }
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  expect(seen).toContain('plain');
  expect(seen).toContain('refused');
  expect(seen).not.toContain('secret');
});
