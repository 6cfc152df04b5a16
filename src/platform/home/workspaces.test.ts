import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { openSqlite } from '../store/databases/sqlite.ts';
import {
  listWorkspaces,
  locateWorkspace,
  lookupWorkspace,
  rememberWorkspace,
  workspaceId,
} from './workspaces.ts';

test('the workspace of a caller is the nearest folder upwards with a config', async () => {
  await using folder = await tempFolder({
    'My Project/zoo.toml': '',
    'My Project/src/deep/x': '',
    'bare/x': '',
  });
  const project = join(folder.path, 'My Project');
  const place = await locateWorkspace(join(project, 'src/deep'));
  expect(place).toEqual({ id: workspaceId(project), path: project, configFile: join(project, 'zoo.toml') });
  expect(place.id).toMatch(/^my-project-[0-9a-f]{8}$/);
});

test('a folder without a config is its own workspace', async () => {
  await using folder = await tempFolder({ 'bare/x': '' });
  const path = join(folder.path, 'bare');
  expect(await locateWorkspace(path)).toEqual({ id: workspaceId(path), path, configFile: null });
});

test('a link to a folder is the same workspace', async () => {
  await using folder = await tempFolder({ 'project/ctx.toml': '' });
  await symlink(join(folder.path, 'project'), join(folder.path, 'link'));
  expect(await locateWorkspace(join(folder.path, 'link'))).toEqual(
    await locateWorkspace(join(folder.path, 'project')),
  );
});

test('an explicit config takes precedence, and must exist', async () => {
  await using folder = await tempFolder({ 'zoo.toml': '', 'configs/team.toml': '' });
  expect(await locateWorkspace(folder.path, { explicitConfig: 'configs/team.toml' })).toMatchObject({
    path: join(folder.path, 'configs'),
    configFile: join(folder.path, 'configs/team.toml'),
  });
  await expect(locateWorkspace(folder.path, { explicitConfig: 'none.toml' })).rejects.toMatchObject({
    code: 'invalid_arguments',
  });
});

test('a missing folder is reported with a hint', async () => {
  await using folder = await tempFolder({ file: '' });
  for (const name of ['none', 'file']) {
    await expect(locateWorkspace(join(folder.path, name))).rejects.toMatchObject({
      code: 'workspace_not_found',
      message: expect.stringContaining('Name an existing folder'),
    });
  }
});

test('an id refers to the same folder after a restart', async () => {
  await using folder = await tempFolder();
  const project = join(folder.path, 'project');
  await mkdir(project);
  const place = await locateWorkspace(project);
  const file = join(folder.path, 'home/zoo.db');
  const first = await openSqlite(file, { threads: false });
  const seen = { id: place.id, path: place.path, config: null, trust: 'nothing-to-trust' } as const;
  const other = {
    id: 'other-00000000',
    path: '/other',
    config: '/other/zoo.toml',
    trust: 'trusted',
  } as const;
  await rememberWorkspace(first, seen, new Date('2026-01-01'));
  await rememberWorkspace(first, other, new Date('2026-01-02'));
  await rememberWorkspace(first, seen, new Date('2026-01-03'));
  await first.close();

  const second = await openSqlite(file, { threads: false });
  expect(await lookupWorkspace(second, place.id)).toBe(project);
  expect(await lookupWorkspace(second, 'never-seen-00000000')).toBeNull();
  expect(await listWorkspaces(second)).toEqual([seen, other]);
  await second.close();
});
