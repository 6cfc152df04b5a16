import { hostname } from 'node:os';
import { ZooError } from '../../contract/errors.ts';
import type { CallContext } from '../../contract/call.ts';
import type { Implements } from '../../contract/api.ts';
import type { TeamDetails } from '../../contract/team.ts';
import type { Tool, ToolCall } from '../../contract/tool.ts';
import { homeFiles } from '../../platform/home/paths.ts';
import { createProcesses } from '../../platform/processes/processes.ts';
import { closeEach } from '../../platform/processes/resources.ts';
import type { Questions } from '../../platform/store/questions.ts';
import type { Chats } from '../../runner/chats/chats.ts';
import type { Runner } from '../../runner/runner.ts';
import type { Member, Team } from '../../teams/state/team-state.ts';
import { isOver } from '../../teams/state/team-state.ts';
import { createTeamStore, type TeamStore } from '../../teams/team-store.ts';
import { createTeams, type Teams } from '../../teams/teams.ts';
import type { AgentDirectory } from '../agents/agent-directory.ts';
import type { ResolveAgent } from '../agents/resolve-agent.ts';
import { type Base, localContext } from '../base/open-base.ts';
import type { Identity } from '../hub.ts';
import type { AgentScopes } from '../tools/scopes.ts';
import type { Wing } from '../wing.ts';
import { implementTeams } from './implement-teams.ts';
import { createMemberPlaces } from './member-places.ts';
import { createMemberPlans } from './member-plans.ts';
import { createMemberScope } from './member-scope.ts';
import { createModelHarness } from './model-harness.ts';
import { createPermissions } from '../../teams/permissions.ts';
import { isSetUp, teamSettings } from './team-settings.ts';
import { createTeamJobs, type TeamJobs } from './team-jobs.ts';
import { type ClientToolsOptions, createClientTeamTools } from './tools/client-tools.ts';
import { createTeamTools } from './tools/team-tools.ts';

const IDLE_SESSION_MS = 10 * 60_000;

export interface TeamsWing extends Wing<'teams'> {
  /** Teams that clients have started. */
  jobs: TeamJobs;
  memberOf(token: string): Promise<Identity | null>;
  /** Called with the id of each member token that becomes invalid. */
  onTokenDropped(listener: (tokenId: string) => void): () => void;
  /** The hub listens: members can be started. */
  listening(url: string): void;
}

export interface TeamsWingParts extends Pick<
  Base,
  'home' | 'db' | 'now' | 'env' | 'startLayer' | 'ownLayer' | 'log' | 'serving'
> {
  directory: AgentDirectory;
  scopes: AgentScopes;
  resolve: ResolveAgent;
  questions: Questions;
  runner: Runner;
  chats: Chats;
}

/** Always the same list: the catalogue is built again for a different one. */
const NO_TOOLS: readonly Tool[] = [];

/** Teams of command-line agents. */
export function createTeamsWing(parts: TeamsWingParts): TeamsWing {
  const { db, home, now, env, directory, scopes, log, serving } = parts;
  const store = createTeamStore(db, now);
  const processes = createProcesses(homeFiles(home).processes, env);
  const model = createModelHarness(parts);
  const settings = () => teamSettings(parts, model);
  let url: string | null = null;
  let recovered: Promise<unknown> = Promise.resolve();
  let lastAt = 0;
  const places = createMemberPlaces({ home, env, processes, settings, address: () => url });
  const permissions = createPermissions(parts.questions, now);
  const plans = createMemberPlans({ ...places, directory, settings, env });

  const teams = createTeams({
    db,
    store,
    owner: `hub ${hostname()} ${home}`,
    now,
    env,
    ...places,
    async cleanUp(member) {
      await places.cleanUp(member);
      permissions.forget(member);
      await parts.questions.withdraw({ kind: 'member', id: member });
    },
    slots: () => settings().slots,
    turnLimits: () => settings().turn,
    idleSessionMs: IDLE_SESSION_MS,
    address: () => (url === null ? null : `${url}/mcp/team`),
    persona: (member, team) => personaOf(parts.resolve, member, team),
    scopeOf: (member, team) => scope.namesOf(member, team),
    permit: permissions.permit,
    log,
  });

  const teamOf = ({ context: { caller } }: Pick<ToolCall, 'context'>) => {
    const actor = caller.kind === 'member' ? teams.actor(caller.teamId) : null;
    const member = caller.kind === 'member' ? actor?.state().members.get(caller.memberId) : undefined;
    if (actor && member) return { actor, member };
    throw new ZooError('out_of_scope', 'Team tools are for members of a running team.');
  };
  const tools = createTeamTools({
    store,
    teamOf,
    plan: plans.child,
    settleWorktree: places.settleWorktree,
    now: () => now().getTime(),
  });

  const scope = createMemberScope({ directory, scopes, teamOf });

  const operations = implementTeams({
    teams,
    store,
    host: { start: processes.start, env },
    settings,
    ...places,
    isServing: () => url !== null,
    plan: plans.team,
  });
  const jobs = createTeamJobs(store, teams);
  const clientTools = createClientTeamTools({ jobs, ...clientCalls(operations) });

  return {
    operations,
    jobs,
    toolProviders: [{ tools: async () => (isSetUp(parts) ? clientTools : NO_TOOLS) }],
    memberTools: async (context) => [...tools, ...(await scope.toolsOf(context))],
    memberOf: (token) => identityOf(store, teams, token),
    onTokenDropped: store.onTokenDropped,
    listening(at) {
      url = at;
      if (!serving) return;
      recovered = processes
        .endOrphans()
        .then(() => teams.recover())
        .catch((error: unknown) => log('teams could not be resumed', error));
    },
    use() {
      const open = teams.running();
      if (open > 0) lastAt = performance.now();
      return { open, lastAt };
    },
    close: () => closeEach([() => recovered, teams.close, places.close, processes.settled]),
  };
}

/** Null for an unknown token, and for a member that has ended. */
async function identityOf(store: TeamStore, teams: Teams, token: string): Promise<Identity | null> {
  const holder = await store.holder(token);
  const state = holder && teams.actor(holder.teamId)?.state();
  const member = holder && state?.members.get(holder.memberId);
  if (!holder || !state || !member || isOver(member)) return null;
  return {
    caller: { kind: 'member', ...holder },
    workspace: state.team.workspace,
    agent: member.agentId,
  };
}

/** The operations, in the form that the client tools use. */
function clientCalls({ startTeam, getTeam, sendToMember }: Implements<'teams'>) {
  const context = localContext('');
  return {
    start: async (
      { name, members }: Parameters<ClientToolsOptions['start']>[0],
      caller: CallContext,
    ): Promise<TeamDetails> =>
      startTeam({ body: { ...(name === undefined ? {} : { name }), members } }, caller),
    details: async (id: string): Promise<TeamDetails> => getTeam({ id }, context),
    send: async (id: string, to: string, text: string): Promise<string> =>
      (await sendToMember({ id, body: { to, text } }, context)).id,
  };
}

async function personaOf(resolve: ResolveAgent, { agentId }: Member, team: Team): Promise<string> {
  if (agentId === null) return '';
  const { system } = await resolve(agentId, {}, { ...localContext(team.workspace), agent: agentId });
  return system;
}
