import { afterEach, expect, it, vi } from 'vitest';
import { inProcess, openTeams } from '../../test/teams/in-process-teams.ts';
import { tempFolder } from '../../test/temp-folder.ts';
import { openSqlite } from '../platform/store/databases/index.ts';
import { specOf } from './play-team.ts';
import { DEFAULT_LIMITS } from './state/team-state.ts';
import type { NewTeam } from './teams.ts';

afterEach(() => {
  vi.useRealTimers();
});

const RENEW_MS = 10_000;

const unused = (): never => {
  throw new Error('no harness is asked for here');
};

it('a team that cannot be read does not keep the others from being resumed', async () => {
  await using folder = await tempFolder();
  const db = await openSqlite(`${folder.path}/zoo.db`, { threads: false });
  // Nothing runs: the hub has no address for members yet.
  const notListening = { harness: unused, address: () => null };
  const before = openTeams(db, notListening);
  const start = (name: string) =>
    before.start({
      name,
      workspace: 'w',
      startedBy: null,
      limits: DEFAULT_LIMITS,
      members: [{ ...specOf('root'), role: 'root' }],
    });
  const [broken, whole] = [await start('broken'), await start('whole')];
  await before.close();
  await db.transaction((tx) => tx.run("UPDATE team_members SET data = '{' WHERE team_id = ?", [broken.id]));

  const logged: string[] = [];
  const after = openTeams(db, { ...notListening, log: (message) => logged.push(message) });
  await after.recover();
  expect(after.actor(whole.id)?.state().members.size).toBe(1);
  expect(after.actor(broken.id)).toBeNull();
  expect(logged).toEqual([`team '${broken.id}' could not be resumed`]);
  await after.close();
  await db.close();
});

it('a team with two roots, a root below a member or a task of a megabyte is refused as a whole', async () => {
  await using folder = await tempFolder();
  const db = await openSqlite(`${folder.path}/zoo.db`, { threads: false });
  const teams = openTeams(db, { harness: unused, address: () => null });
  const start = (members: NewTeam['members']) =>
    teams.start({ name: 'odd', workspace: 'w', startedBy: null, limits: DEFAULT_LIMITS, members });
  const root = { ...specOf('a'), role: 'root' as const };
  await expect(start([root, specOf('a')])).rejects.toMatchObject({ code: 'already_exists' });
  await expect(start([{ ...root, parent: 'b' }, specOf('b')])).rejects.toThrow('it has no parent');
  const loop = [root, { ...specOf('b'), parent: 'c' }, { ...specOf('c'), parent: 'b' }];
  await expect(start(loop)).rejects.toThrow("Member 'b' is below 'c', which is not listed before it.");
  await expect(start([{ ...root, instructions: 'x'.repeat(1_000_000) }])).rejects.toMatchObject({
    code: 'too_large',
  });
  expect(await db.all('SELECT id FROM teams')).toEqual([]);
  await teams.close();
  await db.close();
});

it('an event that cannot be stored is refused, and the next one is stored again', async () => {
  await using folder = await tempFolder();
  const db = await openSqlite(`${folder.path}/zoo.db`, { threads: false });
  let isFull = false;
  const write: typeof db.write = (statements) =>
    isFull ? Promise.reject(new Error('the disk is full')) : db.write(statements);
  const teams = openTeams({ ...db, write }, { harness: unused, address: () => null });
  const members = [{ ...specOf('root'), role: 'root' as const }];
  const about = { name: 'full', workspace: 'w', startedBy: null, limits: DEFAULT_LIMITS, members };
  const actor = teams.actor((await teams.start(about)).id);
  isFull = true;
  await expect(actor?.dispatch({ type: 'pause' })).rejects.toThrow('the disk is full');
  expect(actor?.state().team.state).toBe('running');
  isFull = false;
  await actor?.dispatch({ type: 'pause' });
  expect(actor?.state().team.state).toBe('paused');
  await teams.close();
  await db.close();
});

it('a team that cannot be released does not keep the others from being released', async () => {
  await using folder = await tempFolder();
  const db = await openSqlite(`${folder.path}/zoo.db`, { threads: false });
  let failures = 0;
  const write: typeof db.write = (statements) =>
    failures-- > 0 ? Promise.reject(new Error('the disk is full')) : db.write(statements);
  const teams = openTeams({ ...db, write }, { harness: unused, address: () => null });
  const members = [{ ...specOf('root'), role: 'root' as const }];
  const about = { workspace: 'w', startedBy: null, limits: DEFAULT_LIMITS, members };
  for (const name of ['one', 'two']) await teams.start({ ...about, name });
  failures = 1;
  await expect(teams.close()).rejects.toThrow('the disk is full');
  expect(await db.all("SELECT id FROM leases WHERE kind = 'team' AND owner IS NOT NULL")).toHaveLength(1);
  await db.close();
});

it('a team whose last hub crashed under another name is resumed once its lease has expired', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  await using folder = await tempFolder();
  const db = await openSqlite(`${folder.path}/zoo.db`, { threads: false });
  const notListening = { harness: unused, address: () => null };
  const crashed = openTeams(db, { ...notListening, owner: 'hub on a host that was renamed' });
  const members = [{ ...specOf('root'), role: 'root' as const }];
  const about = { name: 'left', workspace: 'w', startedBy: null, limits: DEFAULT_LIMITS, members };
  const { id } = await crashed.start(about);

  let ahead = 0;
  const now = (): Date => new Date(Date.now() + ahead);
  const next = openTeams(db, { ...notListening, now });
  await next.recover();
  expect(next.actor(id)).toBeNull();
  ahead = 60_000;
  vi.advanceTimersByTime(RENEW_MS);
  await expect.poll(() => next.actor(id)?.state().team.name).toBe('left');
  await crashed.close();
  await next.close();
  await db.close();
});

it('a member that does not stop does not keep the leases of other teams from being renewed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  await using folder = await tempFolder();
  const db = await openSqlite(`${folder.path}/zoo.db`, { threads: false });
  let release = (): void => undefined;
  const stopped = new Promise<void>((resolve) => (release = resolve));
  const fake = inProcess(() => new Promise(() => undefined));
  const open: typeof fake.open = async (...launch) => ({
    ...(await fake.open(...launch)),
    stop: () => stopped,
  });
  let ahead = 0;
  const now = (): Date => new Date(Date.now() + ahead);
  const teams = openTeams(db, { harness: () => ({ ...fake, open }), now, log: () => undefined });
  const start = (name: string, instructions: string) =>
    teams.start({
      name,
      workspace: 'w',
      startedBy: null,
      limits: DEFAULT_LIMITS,
      members: [{ ...specOf('root'), role: 'root', instructions }],
    });
  const lost = await start('lost', 'Work.');
  const kept = await start('kept', '');
  await expect.poll(() => teams.actor(lost.id)?.state().members.values().next().value?.session).toBeTruthy();
  await db.transaction((tx) => tx.run('UPDATE leases SET fence = fence + 1 WHERE id = ?', [lost.id]));
  const expiry = async () =>
    Number((await db.one('SELECT expires_at FROM leases WHERE id = ?', [kept.id]))?.expires_at);
  const before = await expiry();
  ahead = RENEW_MS;
  vi.advanceTimersByTime(RENEW_MS);
  await expect.poll(expiry).toBeGreaterThan(before);
  release();
  await teams.close();
  await db.close();
});
