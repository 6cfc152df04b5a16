import type { Implements } from '../../contract/api.ts';
import { ZooError } from '../../contract/errors.ts';
import { nearest } from '../../contract/nearest.ts';
import type { ConfineMember } from '../../teams/sandbox/confine-member.ts';
import type { Member, TeamState } from '../../teams/state/team-state.ts';
import type { TeamStore } from '../../teams/team-store.ts';
import { diffOf } from '../../teams/worktrees/member-diff.ts';
import { detailsOf, memberOf, messageOf, summaryOf, turnOf } from './describe-team.ts';
import { timelineOf } from './team-timeline.ts';

export interface TeamViewsOptions {
  store: TeamStore;
  /** As it is now, in memory or in the store. */
  stateOf(id: string): Promise<TeamState>;
  confine: ConfineMember;
}

type TeamViews = Pick<
  Implements<'teams'>,
  | 'listTeams'
  | 'getTeam'
  | 'listTeamMessages'
  | 'inspectMember'
  | 'getTeamTimeline'
  | 'listMemberTurns'
  | 'getMemberDiff'
>;

/** Operations that only read. */
export function implementTeamViews({ store, stateOf, confine }: TeamViewsOptions): TeamViews {
  const named = async (id: string): Promise<TeamState> => stateOf((await store.find(id)).id);
  return {
    listTeams: async () => ({ teams: (await store.list()).map(summaryOf) }),
    getTeam: async ({ id }) => detailsOf(await named(id)),
    async listTeamMessages({ id, after = 0, limit = 200, dead = false }) {
      const team = await store.find(id);
      const found = dead ? await store.deadLetters(team.id) : await store.messages(team.id, after, limit);
      const { members } = await stateOf(team.id);
      return { messages: found.map((message) => messageOf(message, members)) };
    },
    async inspectMember({ id, member: name }) {
      const state = await named(id);
      const member = memberNamed(state, name);
      return { member: memberOf(member, state), turns: (await store.turns(member.id, 20)).map(turnOf) };
    },
    async getTeamTimeline({ id, after = 0, limit = 200 }) {
      return timelineOf(store, await named(id), after, limit);
    },
    async listMemberTurns({ id, member: name, before, limit = 20 }) {
      const member = memberNamed(await named(id), name);
      return { turns: (await store.turns(member.id, limit, before)).map(turnOf) };
    },
    async getMemberDiff({ id, member: name }) {
      const member = memberNamed(await named(id), name);
      return diffOf(confine(member), member);
    },
  };
}

/** By name or id; of several with one name, the one nearest to the root. */
export function memberNamed({ members }: TeamState, name: string): Member {
  const found = members.get(name) ?? [...members.values()].find((member) => member.name === name);
  if (found) return found;
  const names = [...members.values()].map((member) => member.name);
  const near = nearest(name, names);
  throw new ZooError(
    'member_not_found',
    `Member '${name}' not found. Members: ${names.join(', ')}.${near === null ? '' : ` Did you mean '${near}'?`}`,
  );
}
