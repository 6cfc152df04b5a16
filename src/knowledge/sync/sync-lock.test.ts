import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { createSyncLocks } from './sync-lock.ts';

const source = { owner: null, type: 'filesystem', name: 'notes' } as const;

it('releases a lock whose holder file cannot be written', async () => {
  await using folder = await tempFolder();
  createSyncLocks(folder.path).take([source])();
  const [holder = ''] = readdirSync(folder.path).filter((name) => name.endsWith('.json'));
  await rm(join(folder.path, holder));
  await mkdir(join(folder.path, basename(holder)));

  const locks = createSyncLocks(folder.path);
  expect(() => locks.take([source])).toThrow(/EISDIR/);

  await rm(join(folder.path, holder), { recursive: true });
  const release = createSyncLocks(folder.path).take([source]);
  expect(() => createSyncLocks(folder.path).take([source])).toThrow(
    /filesystem:notes is already being synced/,
  );
  release();
  createSyncLocks(folder.path).take([source])();
});
