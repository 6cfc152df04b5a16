import type { CallContext } from '../../contract/call.ts';
import type { Tool } from '../../contract/tool.ts';
import type { SessionMember } from '../../teams/harness.ts';
import type { Member, Team } from '../../teams/state/team-state.ts';
import type { TeamActor } from '../../teams/team-actor.ts';
import type { AgentDirectory } from '../agents/agent-directory.ts';
import { localContext } from '../base/open-base.ts';
import type { AgentScopes } from '../tools/scopes.ts';

export interface MemberScopeOptions {
  directory: AgentDirectory;
  scopes: AgentScopes;
  teamOf(call: { context: CallContext }): { actor: TeamActor; member: Member };
}

/** The tools that a member has besides those of the team. */
export function createMemberScope({ directory, scopes, teamOf }: MemberScopeOptions) {
  /** The intersection of the member's own scope with those of all members above it. */
  async function toolsOf(context: CallContext): Promise<readonly Tool[]> {
    const { actor, member } = teamOf({ context });
    const catalogue = await scopes.catalogueOf(await directory.view(context.workspace));
    let allowed = await namesInScope(member.agentId, context);
    for (let each = parentOf(member, actor); each; each = parentOf(each, actor)) {
      const above = await namesInScope(each.agentId, context);
      allowed = new Set([...allowed].filter((name) => above.has(name)));
    }
    return [...allowed].flatMap((name) => catalogue.find(name) ?? []);
  }
  async function namesInScope(agentId: string | null, context: CallContext): Promise<Set<string>> {
    if (agentId !== null) {
      return new Set((await scopes.scopeOf(agentId, context)).available.map(({ name }) => name));
    }
    const catalogue = await scopes.catalogueOf(await directory.view(context.workspace));
    const readOnly = catalogue
      .descriptors()
      .filter(({ origin, annotations }) => origin === 'builtin' && annotations.readOnlyHint);
    return new Set(readOnly.map(({ name }) => name));
  }
  return {
    toolsOf,
    async namesOf(member: Member, { id: teamId, workspace }: Team): Promise<string[]> {
      const tools = await toolsOf(memberContext({ ...member, teamId, workspace }));
      return tools.map(({ descriptor }) => descriptor.name);
    },
  };
}

/** The member itself calls, so its tools are those of a member. It has no token that could be stolen. */
export const memberContext = ({
  id,
  teamId,
  workspace,
  agentId,
}: Omit<SessionMember, 'name'>): CallContext => ({
  ...localContext(workspace),
  caller: { kind: 'member', teamId, memberId: id, tokenId: `model ${id}` },
  agent: agentId,
  surface: 'team',
});

const parentOf = ({ parent }: Member, actor: TeamActor): Member | undefined =>
  parent === null ? undefined : actor.state().members.get(parent);
