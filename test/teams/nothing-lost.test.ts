import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { TeamDetails, TeamMessage } from '../../src/contract/team.ts';
import { campaignSize } from '../campaign.ts';
import { isAlive } from '../upstreams/upstream-servers.ts';
import { stageKilledHub } from './killed-hub.ts';
import { attemptsIn, type Attempt } from './prompt-oracle.ts';
import { randomFrom, randomTeam, randomWork } from './random-team.ts';

const TEAMS = campaignSize(1, 12);
const KILLS = campaignSize(3, 26);

for (let seed = 1; seed <= TEAMS; seed++) {
  test(
    `team ${seed}: nothing is lost or doubled by ${KILLS} kills of the hub`,
    { timeout: 400_000 },
    async () => {
      const random = randomFrom(seed);
      await using at = await stageKilledHub('slots = 3\nreply_timeout = 5');
      const members = randomTeam(random);
      const { id } = await at.request<TeamDetails>('/api/teams', { name: `team-${seed}`, members });
      for (let kill = 0; kill < KILLS; kill++) {
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
      await settle(at.request, id);
      expect(await faultsIn(at, id)).toEqual([]);
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

/** Everything that is wrong: lost and doubled messages, and processes that are left. */
async function faultsIn(at: Awaited<ReturnType<typeof stageKilledHub>>, id: string): Promise<string[]> {
  const messages: TeamMessage[] = [];
  for (let after = 0, more = true; more;) {
    const page = await at.request<{ messages: TeamMessage[] }>(
      `/api/teams/${id}/messages?limit=1000&after=${after}`,
    );
    messages.push(...page.messages);
    more = page.messages.length > 0;
    after = page.messages.at(-1)?.seq ?? after;
  }
  const attempts = attemptsIn(at.seen());
  const toMembers = messages.filter(({ to }) => to !== 'user');
  const few = toMembers.length > KILLS ? [] : [`only ${toMembers.length} messages`];
  const wrong = toMembers.flatMap((message) => wrongWith(message, attempts, messages) ?? []);
  await at.request(`/api/teams/${id}/stop`, {});
  await at.end();
  const left = [...new Set(attempts.map(({ pid }) => pid))].filter((pid) => isAlive(pid));
  return [...few, ...wrong, ...left.map((pid) => `process ${pid} is left`)];
}

/** What is wrong with a message by what the prompts really held; null if nothing is. */
function wrongWith(
  { id, from, to, state, text }: TeamMessage,
  attempts: readonly Attempt[],
  all: readonly TeamMessage[],
): string | null {
  const what = `${state} message ${id} from ${from} to ${to}`;
  const held = attempts.filter(({ messages }) => messages.has(id));
  if (state === 'dead') {
    const told = from === 'hub' || all.some((each) => each.from === 'hub' && each.text.includes(id));
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
