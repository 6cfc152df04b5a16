import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import { nearest } from '../../contract/nearest.ts';
import type { NewMember } from '../../contract/team.ts';
import type { Harness } from '../../teams/harness.ts';
import type { BudgetLimit, Member, MemberSpec, TeamState } from '../../teams/state/team-state.ts';
import type { NewTeam } from '../../teams/teams.ts';
import { childFolder } from '../../teams/workspace.ts';
import type { AgentDirectory } from '../agents/agent-directory.ts';
import { localContext } from '../base/open-base.ts';
import { mayRun } from '../runner/trusted-agent.ts';
import type { TeamSettings } from './team-settings.ts';
import type { Spawn } from './team-tools.ts';

export interface MemberPlans {
  /** Throws for a name that is not configured. */
  harness(name: string): Harness;
  team(name: string | undefined, members: readonly NewMember[], context: CallContext): Promise<NewTeam>;
  child(asked: Spawn, parent: Member, state: TeamState): Promise<MemberSpec>;
}

/** Checks what new members ask for: their agent, their harness and their folder. */
export function createMemberPlans({
  directory,
  settings,
}: {
  directory: AgentDirectory;
  settings(): TeamSettings;
}): MemberPlans {
  function harness(name: string): Harness {
    const { harnesses } = settings();
    const found = harnesses.get(name);
    if (found) return found;
    const names = [...harnesses.keys()];
    const near = nearest(name, names);
    throw new ZooError(
      'invalid_arguments',
      `Harness '${name}' not found. Available: ${names.join(', ')}.${near === null ? '' : ` Did you mean '${near}'?`}`,
    );
  }
  async function requireAgent(id: string, context: CallContext): Promise<void> {
    const [{ agent }, view] = await Promise.all([
      directory.find(id, context),
      directory.view(context.workspace),
    ]);
    if (mayRun(agent, view)) return;
    throw new ZooError('untrusted', `Agent '${id}' is from a workspace that you have not approved.`);
  }

  return {
    harness,
    async team(name, members, context) {
      requireNoSandbox(settings());
      const { located } = await directory.view(context.workspace);
      const folders = new Map<string, string>();
      const specs: (MemberSpec & { parent?: string | undefined })[] = [];
      for (const member of members) {
        if (member.agent !== undefined) await requireAgent(member.agent, context);
        const first = members[0]?.name ?? '';
        const above = specs.length === 0 ? located.path : folders.get(member.parent ?? first);
        const folder = await childFolder(above ?? located.path, member.subdir ?? null);
        folders.set(member.name, folder);
        specs.push({
          name: member.name,
          role: specs.length === 0 ? 'root' : (member.role ?? 'worker'),
          harness: harness(member.harness).name,
          agentId: member.agent ?? null,
          instructions: member.task ?? '',
          folder,
          branch: null,
          budget: budgetOf(member.budget),
          parent: member.parent,
        });
      }
      const { limits } = settings();
      return {
        name: name ?? members[0]?.name ?? 'team',
        workspace: context.workspace,
        limits,
        members: specs,
      };
    },
    async child(asked, parent, { team }) {
      const agent = asked.agent ?? null;
      if (agent !== null) await requireAgent(agent, localContext(team.workspace));
      return {
        name: asked.name,
        role: parent.role === 'reviewer' ? 'reviewer' : asked.role,
        harness: asked.harness === undefined ? parent.harness : harness(asked.harness).name,
        agentId: agent,
        instructions: asked.instructions,
        folder: await childFolder(parent.folder, asked.workspace_subdir),
        branch: null,
        budget: budgetOf(asked.budget),
      };
    },
  };
}

const budgetOf = (budget: NewMember['budget']): BudgetLimit => budget ?? {};

/** No sandbox, no member, unless the user said so. */
function requireNoSandbox({ sandbox }: TeamSettings): void {
  if (sandbox === 'off') return;
  throw new ZooError(
    'permission_denied',
    'Members run without a sandbox in this version, with all your rights. To allow that, add `[team]` with `sandbox = "off"` to your own zoo.toml.',
  );
}
