import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { NewMember, TeamDetails } from '../../src/contract/team.ts';
import { campaignSize } from '../campaign.ts';
import { isAlive } from '../upstreams/upstream-servers.ts';
import { stageKilledHub } from './killed-hub.ts';
import { acceptedIn, faultsIn, messagesOf, type Request } from './lost-messages.ts';
import { attemptsIn } from './prompt-oracle.ts';
import { type Random, randomFrom, randomTeam, randomWork } from './random-team.ts';

const TEAMS = campaignSize(1, 24);
const KILLS = campaignSize(3, 13);

for (let seed = 1; seed <= TEAMS; seed++) {
  test(
    `team ${seed}: nothing is lost or doubled by ${KILLS} kills of the hub`,
    { timeout: 600_000 },
    async () => {
      const random = randomFrom(seed);
      await using at = await stageKilledHub('slots = 3\nreply_timeout = 5');
      const teams: StartedTeam[] = [];
      const countTurns = (): number => attemptsIn(at.seen()).length;
      for (let kill = 0; kill < KILLS; kill++) {
        const before = countTurns();
        const { id, members, accepted } = await currentTeam(at.request, teams, random);
        for (let each = random.below(3) + 1; each > 0; each--) {
          const to = random.pick(members).name;
          const text = randomWork(random, to, members, at.path);
          await at.request<{ id: string }>(`/api/teams/${id}/messages`, { to, text }).then(
            (sent) => accepted.push(sent.id),
            () => undefined,
          );
          await sleep(random.below(300));
        }
        // Mostly in mid-turn, even if the machine is too busy to start one soon.
        const isEarly = random.below(10) < 3;
        if (!isEarly) await someTurn(() => countTurns() > before);
        await sleep(random.below(isEarly ? 700 : 1800));
        await at.kill();
        await at.serve();
      }
      for (const { id } of teams) await settle(at.request, id);
      const seen = at.seen();
      const faults: string[] = [];
      for (const { id, accepted } of teams) faults.push(...(await faultsIn(at.request, id, seen, accepted)));
      expect(faults).toEqual([]);
      expect(await missingIn(at.request, teams, acceptedIn(seen))).toEqual([]);
      await at.end();
      const attempts = attemptsIn(seen);
      expect(attempts.length).toBeGreaterThan(KILLS);
      const started = seen.flatMap(({ pid, forked }) =>
        [pid, forked].filter((each) => typeof each === 'number'),
      );
      await expect.poll(() => [...new Set(started)].filter((pid) => isAlive(pid))).toEqual([]);
    },
  );
}

/** Waits for a turn; there may be nothing to start one for. */
async function someTurn(hasStarted: () => boolean): Promise<void> {
  for (let round = 0; round < 100 && !hasStarted(); round++) await sleep(50);
}

interface StartedTeam {
  id: string;
  members: NewMember[];
  /** Ids of messages that the hub accepted from the user. */
  accepted: string[];
}

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
async function currentTeam(request: Request, teams: StartedTeam[], random: Random): Promise<StartedTeam> {
  const last = teams.at(-1);
  if (last && (await request<TeamDetails>(`/api/teams/${last.id}`)).state === 'running') return last;
  const members = randomTeam(random);
  const { id } = await request<TeamDetails>('/api/teams', { name: `team-${teams.length}`, members });
  const started = { id, members, accepted: [] };
  teams.push(started);
  return started;
}

/** Messages and members that a tool call was answered with, and that no team knows. */
async function missingIn(
  request: Request,
  teams: readonly StartedTeam[],
  accepted: ReturnType<typeof acceptedIn>,
): Promise<string[]> {
  const known = new Set<string>();
  for (const { id } of teams) {
    for (const { id: member } of (await request<TeamDetails>(`/api/teams/${id}`)).members) known.add(member);
    for (const message of await messagesOf(request, id)) known.add(message.id);
  }
  return [...accepted.messages, ...accepted.members].filter((id) => !known.has(id));
}
