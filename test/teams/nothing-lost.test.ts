import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { NewMember, TeamDetails, TeamMessage } from '../../src/contract/team.ts';
import { campaignSize } from '../campaign.ts';
import { isAlive } from '../upstreams/upstream-servers.ts';
import { stageKilledHub } from './killed-hub.ts';
import { attemptsIn, type Attempt } from './prompt-oracle.ts';
import { type Random, randomFrom, randomTeam, randomWork } from './random-team.ts';

const TEAMS = campaignSize(1, 12);
const KILLS = campaignSize(3, 26);

for (let seed = 1; seed <= TEAMS; seed++) {
  test(
    `team ${seed}: nothing is lost or doubled by ${KILLS} kills of the hub`,
    { timeout: 600_000 },
    async () => {
      const random = randomFrom(seed);
      await using at = await stageKilledHub('slots = 3\nreply_timeout = 5');
      const teams: { id: string; members: NewMember[] }[] = [];
      for (let kill = 0; kill < KILLS; kill++) {
        const { id, members } = await currentTeam(at.request, teams, random);
        for (let each = random.below(3) + 1; each > 0; each--) {
          const to = random.pick(members).name;
          await at
            .request(`/api/teams/${id}/messages`, { to, text: randomWork(random, to, members) })
            .catch(() => undefined);
          await sleep(random.below(300));
        }
        await sleep(random.below(10) < 3 ? random.below(700) : 700 + random.below(1800));
        await at.kill();
        await at.serve();
      }
      for (const { id } of teams) await settle(at.request, id);
      const attempts = attemptsIn(at.seen());
      for (const { id } of teams) expect(await faultsIn(at.request, id, attempts)).toEqual([]);
      await at.end();
      expect(attempts.length).toBeGreaterThan(KILLS);
      expect([...new Set(attempts.map(({ pid }) => pid))].filter((pid) => isAlive(pid))).toEqual([]);
    },
  );
}

type Request = <T>(path: string, body?: object) => Promise<T>;

const isQuiet = ({ members }: TeamDetails): boolean =>
  members.every(({ state, unread }) => unread === 0 && state !== 'busy' && state !== 'waiting');

/** No deadlock: without more kills, everybody comes to rest. */
async function settle(request: Request, id: string): Promise<void> {
  const until = performance.now() + 120_000;
  for (;;) {
    const team = await request<TeamDetails>(`/api/teams/${id}`);
    if (isQuiet(team)) return;
    if (performance.now() > until) throw new Error(`the team does not come to rest: ${JSON.stringify(team)}`);
    await sleep(100);
  }
}

/** The last team, or a new one if its root has failed: a turn is retried only so often. */
async function currentTeam(
  request: Request,
  teams: { id: string; members: NewMember[] }[],
  random: Random,
): Promise<{ id: string; members: NewMember[] }> {
  const last = teams.at(-1);
  if (last && (await request<TeamDetails>(`/api/teams/${last.id}`)).state === 'running') return last;
  const members = randomTeam(random);
  const { id } = await request<TeamDetails>('/api/teams', { name: `team-${teams.length}`, members });
  teams.push({ id, members });
  return { id, members };
}

/** Messages of a team that were lost or doubled. */
async function faultsIn(request: Request, id: string, attempts: readonly Attempt[]): Promise<string[]> {
  const messages: TeamMessage[] = [];
  for (let after = 0, more = true; more;) {
    const page = await request<{ messages: TeamMessage[] }>(
      `/api/teams/${id}/messages?limit=1000&after=${after}`,
    );
    messages.push(...page.messages);
    more = page.messages.length > 0;
    after = page.messages.at(-1)?.seq ?? after;
  }
  const { members } = await request<TeamDetails>(`/api/teams/${id}`);
  const ended = new Set(
    members
      .filter(({ state }) => state === 'done' || state === 'failed' || state === 'stopped')
      .map(({ name }) => name),
  );
  return messages
    .filter(({ to }) => to !== 'user')
    .flatMap((message) => wrongWith(message, attempts, messages, ended) ?? []);
}

/** What is wrong with a message by what the prompts really held; null if nothing is. */
function wrongWith(
  { id, from, to, state, text }: TeamMessage,
  attempts: readonly Attempt[],
  all: readonly TeamMessage[],
  ended: ReadonlySet<string>,
): string | null {
  const what = `${state} message ${id} from ${from} to ${to}`;
  const held = attempts.filter(({ messages }) => messages.has(id));
  if (state === 'dead') {
    const told =
      from === 'hub' ||
      // Nobody is left to be told.
      ended.has(from) ||
      all.some((each) => each.from === 'hub' && each.text.includes(id));
    return told ? null : `${what}: its sender was not told`;
  }
  if (state !== 'read' && state !== 'answered') return `${what}: is not settled`;
  // A notice of the hub has no id in the prompt.
  if (from === 'hub')
    return attempts.some((each) => each.isFinished && each.prompt.includes(text))
      ? null
      : `${what}: not in a prompt`;
  if (!held.some(({ isFinished }) => isFinished)) return `${what}: in no turn that was finished`;
  const [, ...again] = held;
  const turns = new Set(again.map(({ retryOf }) => retryOf));
  if (turns.has(null)) return `${what}: in two turns`;
  return turns.size > 1 ? `${what}: in retries of different turns` : null;
}
