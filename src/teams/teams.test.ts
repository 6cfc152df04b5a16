import { expect, it } from 'vitest';
import { tempFolder } from '../../test/temp-folder.ts';
import { openSqlite } from '../platform/store/databases/index.ts';
import type { Database } from '../platform/store/database.ts';
import { specOf } from './play-team.ts';
import { DEFAULT_LIMITS } from './state/team-state.ts';
import { createTeamStore } from './team-store.ts';
import { createTeams } from './teams.ts';

/** Nothing runs: the hub has no address for members yet. */
function openTeams(db: Database, log: (message: string) => void) {
  const now = (): Date => new Date();
  const never = async (): Promise<never> => {
    throw new Error('no process is started here');
  };
  return createTeams({
    db,
    store: createTeamStore(db, now),
    owner: 'hub',
    now,
    env: {},
    confine: () => never,
    worktrees: { prepare: never, merge: never, remove: never },
    isConfined: () => false,
    homeOf: (id) => ({ outside: id, inside: id }),
    bridge: never,
    cleanUp: never,
    harness: () => {
      throw new Error('no harness is asked for here');
    },
    slots: () => ({ total: 1, of: () => 1 }),
    turnLimits: () => ({ idleMs: 60_000, totalMs: 60_000 }),
    idleSessionMs: 60_000,
    address: () => null,
    persona: never,
    permit: never,
    log,
  });
}

it('a team that cannot be read does not keep the others from being resumed', async () => {
  await using folder = await tempFolder();
  const db = await openSqlite(`${folder.path}/zoo.db`, { threads: false });
  const before = openTeams(db, () => undefined);
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
  const after = openTeams(db, (message) => logged.push(message));
  await after.recover();
  expect(after.actor(whole.id)?.state().members.size).toBe(1);
  expect(after.actor(broken.id)).toBeNull();
  expect(logged).toEqual([`team '${broken.id}' could not be resumed`]);
  await after.close();
  await db.close();
});
