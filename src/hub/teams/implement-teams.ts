import type { Implements } from '../../contract/api.ts';
import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { NewMember, TeamDetails, TeamMember } from '../../contract/team.ts';
import type { Harness, HarnessHost } from '../../teams/harness.ts';
import type { ConfineMember } from '../../teams/sandbox/confine-member.ts';
import { inWords, type Member, type Team, type TeamState, USER } from '../../teams/state/team-state.ts';
import type { TeamActor } from '../../teams/team-actor.ts';
import { parseTeamFile } from '../../teams/team-file.ts';
import type { TeamStore } from '../../teams/team-store.ts';
import type { NewTeam, Teams } from '../../teams/teams.ts';
import { detailsOf, memberOf, messageOf } from './describe-team.ts';
import { implementTeamViews, memberNamed } from './implement-team-views.ts';
import type { SettleWorktree } from './settle-worktree.ts';
import type { TeamSettings } from './team-settings.ts';

export interface ImplementTeamsOptions {
  teams: Teams;
  store: TeamStore;
  host: HarnessHost;
  settings(): TeamSettings;
  confine: ConfineMember;
  settleWorktree: SettleWorktree;
  /** Why members cannot be confined here; null if they can. */
  sandboxMissing(): Promise<string | null>;
  /** False in a command without a hub: nothing would run the members. */
  isServing(): boolean;
  /** Checks agents, harnesses and folders. */
  plan(name: string | undefined, members: readonly NewMember[], context: CallContext): Promise<NewTeam>;
}

export function implementTeams(options: ImplementTeamsOptions): Implements<'teams'> {
  const { teams, store, settings, host, plan } = options;
  const stateOf = async (id: string): Promise<TeamState> => teams.actor(id)?.state() ?? store.load(id);
  const details = async (named: string): Promise<TeamDetails> =>
    detailsOf(await stateOf((await store.find(named)).id));
  const requireHub = (): void => {
    if (options.isServing()) return;
    throw new ZooError('conflict', 'Teams need a running hub. Start one with `zoo serve`.');
  };
  /** Null for a team that another hub runs. */
  const actorOf = async ({ id, state }: Pick<Team, 'id' | 'state'>): Promise<TeamActor | null> => {
    const held = teams.actor(id);
    return held && state !== 'paused' ? held : teams.takeOver(id);
  };
  const acting = async (named: string): Promise<TeamActor> => {
    requireHub();
    const team = await store.find(named);
    const actor = await actorOf(team);
    if (actor) return actor;
    throw new ZooError('conflict', `Another hub runs team '${team.name}'.`, { team: team.id });
  };

  async function settleWorktree(
    { id, member: name }: { id: string; member: string },
    how: 'merged' | 'discarded',
  ): Promise<TeamMember> {
    const actor = await acting(id);
    const member = memberNamed(actor.state(), name);
    await options.settleWorktree(actor, member, how);
    return memberOf(memberNamed(actor.state(), member.id), actor.state());
  }

  async function change(id: string, type: 'pause' | 'resume'): Promise<TeamDetails> {
    const actor = await acting(id);
    await actor.dispatch({ type });
    const { name, state } = actor.state().team;
    if (state === 'running' || state === 'paused') return details(id);
    throw new ZooError('conflict', `Team '${name}' ${inWords(state)} and cannot be ${type}d.`, { team: id });
  }

  return {
    ...implementTeamViews({ store, stateOf, confine: options.confine }),
    async listHarnesses() {
      const { harnesses, sandbox } = settings();
      const list = await Promise.all([...harnesses.values()].map((harness) => probe(harness, host)));
      const missing = sandbox === 'on' ? await options.sandboxMissing() : null;
      return { harnesses: list, sandbox: missing === null ? sandbox : `missing: ${missing}` };
    },
    readTeamFile: async ({ body: { text } }) => parseTeamFile(text),
    async startTeam({ body: { name, members } }, context) {
      requireHub();
      const { id } = await teams.start(await plan(name, members, context));
      return details(id);
    },
    async sendToMember({ id, body: { to, text, replyTo: answered } }) {
      const actor = await acting(id);
      const member = memberNamed(actor.state(), to);
      const asked = answered === undefined ? null : await store.findMessage(actor.id, answered);
      if (asked && (asked.from !== member.id || asked.to !== USER)) {
        throw new ZooError('invalid_arguments', `Message '${asked.id}' is not from '${member.name}' to you.`);
      }
      const replyTo = asked?.id ?? null;
      const { id: message = '' } = await actor.dispatch({ type: 'user-send', to: member.id, text, replyTo });
      return { id: message };
    },
    async readTeamInbox({ id }) {
      const team = await store.find(id);
      const { messages, members } = await stateOf(team.id);
      const unread = [...messages.values()].filter(({ to, state }) => to === USER && state === 'queued');
      const ids = unread.map((message) => message.id);
      // Also of a team that has ended. Without a hub, they stay unread.
      const actor = ids.length > 0 && options.isServing() ? await actorOf(team) : null;
      await actor?.dispatch({ type: 'user-read', messages: ids });
      const state = actor ? 'read' : 'queued';
      return { messages: unread.map((message) => messageOf({ ...message, state }, members)) };
    },
    async redeliverMessage({ id, message: start }) {
      const actor = await acting(id);
      const message = await store.findMessage(actor.id, start);
      await actor.dispatch({ type: 'redeliver', message });
      return { id: message.id };
    },
    mergeMember: (input) => settleWorktree(input, 'merged'),
    discardMember: (input) => settleWorktree(input, 'discarded'),
    pauseTeam: ({ id }) => change(id, 'pause'),
    resumeTeam: ({ id }) => change(id, 'resume'),
    async stopTeam({ id, body }) {
      const actor = await acting(id);
      const member =
        body?.member === undefined ? rootOf(actor.state()) : memberNamed(actor.state(), body.member);
      await actor.dispatch({ type: 'stop', member: member.id, reason: 'the user stopped it' });
      return details(id);
    },
  };
}

async function probe(harness: Harness, host: HarnessHost) {
  return { name: harness.name, command: [...harness.command], ...(await harness.probe(host)) };
}

function rootOf({ members }: TeamState): Member {
  const root = [...members.values()].find(({ parent }) => parent === null);
  if (!root) throw new Error('the team has no root');
  return root;
}
