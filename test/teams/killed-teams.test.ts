import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TeamDetails, TeamMessage, TeamTurn } from '../../src/contract/team.ts';
import { isAlive } from '../upstreams/upstream-servers.ts';
import { stageKilledHub } from './killed-hub.ts';
import type { Seen } from './team-stage.ts';

const call = (tool: string, args: object): string => `!${tool} ${JSON.stringify(args)}`;

test('after kill -9 of the hub in a turn, the team continues and loses no message', async () => {
  await using at = await stageKilledHub();
  const release = join(at.path, 'release');
  const members = [
    { name: 'root', harness: 'fake', task: 'Get ready.' },
    { name: 'helper', harness: 'fake', task: 'Get ready.\n!fork' },
  ];
  const { id } = await at.request<TeamDetails>('/api/teams', { name: 'survivors', members });
  await at.untilTeam(id, allIdle);
  const [before] = promptsWith(at.seen(), 'You are root');
  const work = [
    call('send_message', { recipient: 'helper', text: 'part one', sync: false }),
    `!hold ${release}`,
  ];
  const message = await at.request<{ id: string }>(`/api/teams/${id}/messages`, {
    to: 'root',
    text: work.join('\n'),
  });
  await at.until('the turn, and what it sent', (seen) => finishedWith(seen, 'part one').length === 1);
  // Its end must be stored, or it would be retried as well.
  await at.untilTeam(id, ({ members: [, helper] }) => helper?.state === 'idle' && helper.unread === 0);
  // Another message for the member that is busy waits in the queue when the hub dies.
  const queued = await at.request<{ id: string }>(`/api/teams/${id}/messages`, {
    to: 'root',
    text: 'And then?',
  });
  // The helper exits with its input and leaves a process behind, whose group has no leader then.
  const forked = at.seen().flatMap((each) => (typeof each['forked'] === 'number' ? [each['forked']] : []));
  const old = [...new Set([...at.seen().flatMap(({ pid }) => pid ?? []), ...forked])];
  expect(forked).toHaveLength(1);
  const [holding] = promptsWith(at.seen(), message.id);
  await at.recorded(holding?.pid ?? 0);

  await at.kill();
  // It waits for a file rather than for its input, so only the next hub can end it.
  expect(isAlive(holding?.pid ?? 0)).toBe(true);
  await at.serve();
  await at.until('the retried turn', (seen) => promptsWith(seen, message.id).length === 2);
  await expect.poll(() => old.filter(isAlive)).toEqual([]);
  writeFileSync(release, '');
  const team = await at.untilTeam(id, allIdle);

  expect(team).toMatchObject({ name: 'survivors', state: 'running' });
  const seen = at.seen();
  expect(seen.flatMap(({ loaded }) => loaded ?? [])).toContain(before?.session);
  const [first, retried] = promptsWith(seen, message.id);
  expect(retried?.session).toBe(first?.session);
  expect(first?.prompt).not.toContain('was interrupted');
  const { messages } = await at.request<{ messages: TeamMessage[] }>(`/api/teams/${id}/messages?limit=1000`);
  const sent = messages.find(({ text }) => text === 'part one');
  expect(retried?.prompt).toContain('was interrupted and starts again');
  expect(retried?.prompt).toContain(`In it you already sent: ${sent?.id} to helper.`);
  expect(promptsWith(seen, queued.id)).toHaveLength(1);

  // Each message is in exactly one turn that was finished, for the member as for the hub.
  const { turns } = await at.request<{ turns: TeamTurn[] }>(`/api/teams/${id}/members/root`);
  expect(turns.map(({ number, state }) => [number, state])).toEqual([
    [3, 'ok'],
    [2, 'ok'],
    [1, 'ok'],
  ]);
  expect(messages.map(({ state }) => state)).toEqual(messages.map(() => 'read'));
  expect(messages.map((each) => finishedWith(seen, `id="${each.id}"`).length)).toEqual(messages.map(() => 1));
});

const allIdle = ({ members }: TeamDetails): boolean =>
  members.every(({ state, unread }) => state === 'idle' && unread === 0);

const promptsWith = (seen: readonly Seen[], text: string): Seen[] =>
  seen.filter(({ prompt }) => prompt?.includes(text));

const finishedWith = (seen: readonly Seen[], text: string): Seen[] =>
  seen.filter(({ finished }) => finished?.includes(text));
