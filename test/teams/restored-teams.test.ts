import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backupHome, restoreHome } from '../../src/platform/store/backup.ts';
import { tempFolder } from '../temp-folder.ts';
import { isAlive } from '../upstreams/upstream-servers.ts';
import { stageTeam, type TeamStage } from './team-stage.ts';

/** A team in its first turn, and a backup of that moment. */
async function backedUpTeam(stage: TeamStage, folder: string) {
  const release = join(folder, 'release');
  const file = join(folder, 'zoo.backup');
  const { id } = await stage.start(`!token\n!hold ${release}`);
  const seen = await stage.until('the turn', (all) => all.some(({ token }) => token !== undefined));
  await backupHome(stage.hub.home, file);
  const pid = seen.find(({ prompt }) => prompt !== undefined)?.pid ?? 0;
  const token = String(seen.find((each) => each['token'] !== undefined)?.['token']);
  return { id, file, pid, token, release: () => writeFileSync(release, '') };
}

const promptsOf = (stage: TeamStage) => stage.seen().filter(({ prompt }) => prompt !== undefined);

test('a restored team does nothing until it is resumed', async () => {
  await using home = await tempFolder();
  await using folder = await tempFolder();
  const same = { home: home.path, folder: folder.path };
  const first = await stageTeam(same);
  const { id, file, release } = await backedUpTeam(first, folder.path);
  await first[Symbol.asyncDispose]();
  await restoreHome(home.path, file);

  await using stage = await stageTeam(same);
  await stage.hub.request('POST', `/api/teams/${id}/messages`, { to: 'root', text: 'Still there?' });
  const { state, members } = await stage.team(id);
  expect([state, members[0]?.state, members[0]?.unread]).toEqual(['paused', 'idle', 2]);
  expect(promptsOf(stage)).toEqual([]);
  release();
  expect((await stage.hub.request('POST', `/api/teams/${id}/resume`)).status).toBe(200);
  await stage.untilTeam(id, (team) => team.members[0]?.state === 'idle' && team.members[0].unread === 0);
  const [retried, next, ...more] = promptsOf(stage);
  expect(retried?.prompt).toContain('was interrupted and starts again');
  expect(next?.prompt).toContain('Still there?');
  expect(more).toEqual([]);
});

test('a restore under a running hub cuts off the members of the replaced team', async () => {
  await using folder = await tempFolder();
  await using stage = await stageTeam();
  const { id, file, pid, token, release } = await backedUpTeam(stage, folder.path);
  const asMember = { authorization: `Bearer ${token}` };
  const call = () => stage.hub.request('POST', '/mcp/team', {}, asMember);
  expect((await call()).status).not.toBe(401);
  await restoreHome(stage.hub.home, file);
  expect((await call()).status).toBe(401);
  release();
  const { status, body } = await stage.hub.request('POST', `/api/teams/${id}/resume`);
  expect([status, body.state]).toEqual([200, 'running']);
  await expect.poll(() => isAlive(pid)).toBe(false);
  await stage.untilTeam(id, (team) => team.members[0]?.state === 'idle' && team.members[0].unread === 0);
  expect(promptsOf(stage).map((each) => each.pid === pid)).toEqual([true, false]);
});
