import { expect, test } from 'vitest';
import { tempFolder } from '../../test/temp-folder.ts';
import { memberIn } from '../../test/teams/sandbox-stage.ts';
import { openSqlite } from '../platform/store/databases/sqlite.ts';
import { createQuestions } from '../platform/store/questions.ts';
import { newTeam } from './play-team.ts';
import { HubStopping } from './running/turn-runner.ts';
import { createPermissions } from './permissions.ts';

const execute = (title: string) => ({ title, kind: 'execute', paths: [] });

async function stage() {
  const folder = await tempFolder();
  const db = await openSqlite(`${folder.path}/zoo.db`, { threads: false });
  let ahead = 0;
  const now = (): Date => new Date(Date.now() + ahead);
  const questions = createQuestions({ db, now, pollMs: 5 });
  return {
    questions,
    folder: folder.path,
    pass(ms: number) {
      ahead += ms;
    },
    /** As after a restart of the hub: it remembers nothing. */
    permissions: () => createPermissions(questions, now),
    team: newTeam(['root']).state.team,
    async [Symbol.asyncDispose]() {
      await db.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('tools of the hub are allowed, commands that only look like them are asked for, endless ones denied', async () => {
  await using at = await stage();
  const { permit } = at.permissions();
  const member = memberIn(at.folder, { turn: 't1' });
  const never = new AbortController().signal;
  const titles = ['mcp__team__send_message', 'team_broadcast', 'list_team (team MCP Server)'];
  for (const title of titles) {
    expect(await permit(member, at.team, { title, kind: 'other', paths: [] }, never)).toEqual({
      isAllowed: true,
    });
  }
  const titled = { title: 'Send a message', announced: 'team-send_message', kind: 'other', paths: [] };
  expect(await permit(member, at.team, titled, never)).toEqual({ isAllowed: true });
  expect(await permit(member, at.team, execute(`make${' '.repeat(20_000)}; rm -rf .`), never)).toEqual({
    isAllowed: false,
    reason: 'the request is too long for a person to read',
  });
  const stop = new AbortController();
  const asked = permit(member, at.team, execute('team_broadcast'), stop.signal);
  await expect.poll(() => at.questions.list()).toMatchObject([{ details: { teamId: at.team.id } }]);
  stop.abort();
  await expect(asked).rejects.toThrow('Stopped waiting');
  expect(await at.questions.list()).toEqual([]);
});

test('a team has at most 10 open requests; a further one is denied with the reason', async () => {
  await using at = await stage();
  const { permit } = at.permissions();
  const member = memberIn(at.folder, { turn: 't1' });
  const stop = new AbortController();
  const open = Array.from({ length: 10 }, (_, n) =>
    permit(member, at.team, execute(`run ${n}`), stop.signal),
  );
  await expect.poll(() => at.questions.list()).toHaveLength(10);
  expect(await permit(member, at.team, execute('one more'), stop.signal)).toEqual({
    isAllowed: false,
    reason: '10 requests of the team already wait for an answer',
  });
  const [first] = await at.questions.list();
  await at.questions.answer(first?.id ?? '', { decision: 'deny', reason: 'not now' }, 'operator');
  expect(await Promise.race(open)).toEqual({ isAllowed: false, reason: 'the user denied it: not now' });
  stop.abort();
  await Promise.allSettled(open);
});

test('a request survives a restart of the hub, with its answer', async () => {
  await using at = await stage();
  const member = memberIn(at.folder, { turn: 't1' });
  const stop = new AbortController();
  const before = at.permissions().permit(member, at.team, execute('make'), stop.signal);
  await expect.poll(() => at.questions.list()).toHaveLength(1);
  stop.abort(new HubStopping('the hub is stopping'));
  await expect(before).rejects.toThrow('Stopped waiting');
  const [question] = await at.questions.list();
  await at.questions.answer(question?.id ?? '', { decision: 'allow' }, 'operator');
  const { permit, forget } = at.permissions();
  const never = new AbortController();
  expect(await permit(member, at.team, execute('make'), never.signal)).toEqual({ isAllowed: true });
  // A second one of the same turn is another request.
  const again = permit(member, at.team, execute('make'), never.signal);
  await expect.poll(() => at.questions.list()).toHaveLength(1);
  never.abort();
  await expect(again).rejects.toThrow('Stopped waiting');
  // Requests of a member that has ended are no longer counted.
  forget(member.id);
  const { signal } = new AbortController();
  expect(await permit(member, at.team, execute('make'), signal)).toEqual({ isAllowed: true });
});

test('a request is denied with the reason of the user, or after a timeout', async () => {
  await using at = await stage();
  const { permit } = at.permissions();
  const member = memberIn(at.folder, { turn: 't1' });
  const never = new AbortController().signal;
  const refused = permit(member, at.team, execute('make'), never);
  await expect.poll(() => at.questions.list()).toHaveLength(1);
  const [question] = await at.questions.list();
  await at.questions.answer(question?.id ?? '', { decision: 'deny', reason: 'not now' }, 'operator');
  expect(await refused).toEqual({ isAllowed: false, reason: 'the user denied it: not now' });

  const late = permit(member, at.team, execute('make all'), never);
  await expect.poll(() => at.questions.list()).toHaveLength(1);
  at.pass(5 * 60_000);
  expect(await at.questions.expire()).toHaveLength(1);
  expect(await late).toEqual({ isAllowed: false, reason: 'nobody answered within 5 minutes' });
});
