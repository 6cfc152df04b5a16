import { expect, test } from 'vitest';
import { inProcess, openTeams } from '../../../test/teams/in-process-teams.ts';
import { tempFolder } from '../../../test/temp-folder.ts';
import { openSqlite } from '../../platform/store/databases/index.ts';
import type { Harness } from '../harness.ts';
import { specOf } from '../play-team.ts';
import { DEFAULT_LIMITS } from '../state/team-state.ts';
import type { NewTeam, Teams } from '../teams.ts';

/** A turn that has started, and lasts until it is ended. */
interface HeldTurn {
  member: string;
  end(): void;
}

/** Teams on one slot, whose turns last until the test ends them. */
async function stage(opened: (member: string) => void = () => undefined) {
  const folder = await tempFolder();
  const db = await openSqlite(`${folder.path}/zoo.db`, { threads: false });
  const turns: HeldTurn[] = [];
  const harness: Harness = inProcess(
    (member) => new Promise((resolve) => turns.push({ member, end: resolve })),
    opened,
  );
  const teams = openTeams(db, { harness: () => harness, slots: () => ({ total: 1, of: () => 1 }) });
  return {
    teams,
    /** The turn with this number, once it has started. */
    async turn(number: number): Promise<HeldTurn> {
      await expect.poll(() => turns.length).toBeGreaterThanOrEqual(number);
      const turn = turns[number - 1];
      if (!turn) throw new Error('no turn');
      return turn;
    },
    async [Symbol.asyncDispose]() {
      await teams.close();
      await db.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const start = (teams: Teams, name: string, members: NewTeam['members']) =>
  teams.start({ name, workspace: 'w', startedBy: null, limits: DEFAULT_LIMITS, members });

const task = (name: string) => ({ ...specOf(name), instructions: 'Go.' });

test('members take turns in the order in which they became ready, and teams one after another', async () => {
  await using on = await stage();
  await start(on.teams, 'large', [task('a1'), task('a2'), task('a3')]);
  await on.turn(1);
  await start(on.teams, 'small', [task('b1')]);
  const order: string[] = [];
  for (let number = 1; number <= 4; number++) {
    const turn = await on.turn(number);
    order.push(turn.member);
    turn.end();
  }
  // The small team does not wait until the large one is done.
  expect(order).toEqual(['a1', 'b1', 'a2', 'a3']);
});

test('the session of the next member is opened while it waits for a slot', async () => {
  const opened: string[] = [];
  await using on = await stage((member) => opened.push(member));
  await start(on.teams, 'queue', [task('one'), task('two'), task('three')]);
  const first = await on.turn(1);
  await expect.poll(() => opened.toSorted()).toEqual(['one', 'two']);
  first.end();
  expect((await on.turn(2)).member).toBe('two');
  // A session that waited is used, not opened again.
  await expect.poll(() => opened.toSorted()).toEqual(['one', 'three', 'two']);
});

test('no more sessions are opened ahead than there are slots', async () => {
  const opened: string[] = [];
  await using on = await stage((member) => opened.push(member));
  await start(on.teams, 'first', [task('one')]);
  const first = await on.turn(1);
  for (const name of ['two', 'three', 'four']) await start(on.teams, name, [task(name)]);
  await expect.poll(() => opened).toEqual(['one', 'two']);
  first.end();
  expect((await on.turn(2)).member).toBe('two');
  await expect.poll(() => opened).toEqual(['one', 'two', 'three']);
});

test('on one slot, a parent is notified that its child has used up its budget', async () => {
  await using on = await stage();
  const { id } = await start(on.teams, 'poor', [
    { ...specOf('root'), role: 'root' },
    { ...task('child'), budget: { turns: 1 } },
  ]);
  (await on.turn(1)).end();
  const actor = on.teams.actor(id);
  const child = [...(actor?.state().members.values() ?? [])].find(({ name }) => name === 'child');
  await expect.poll(() => actor?.state().members.get(child?.id ?? '')?.state).toBe('idle');
  await actor?.dispatch({ type: 'user-send', to: child?.id ?? '', text: 'Once more.', replyTo: null });
  const told = await on.turn(2);
  expect(told.member).toBe('root');
  expect(actor?.state().members.get(child?.id ?? '')).toMatchObject({
    state: 'failed',
    reason: 'its budget is used up (1 of 1 turns)',
  });
});
