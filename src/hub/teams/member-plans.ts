import { randomBytes } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { type CallContext, callerKey } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import { nearest } from '../../contract/nearest.ts';
import type { NewMember } from '../../contract/team.ts';
import type { Environment } from '../../platform/home/paths.ts';
import type { Harness } from '../../teams/harness.ts';
import type { BudgetLimit, Member, MemberSpec, TeamState, Worktree } from '../../teams/state/team-state.ts';
import type { NewTeam } from '../../teams/teams.ts';
import { childFolder } from '../../teams/workspace.ts';
import type { AgentDirectory } from '../agents/agent-directory.ts';
import { localContext } from '../base/open-base.ts';
import { mayRun } from '../runner/trusted-agent.ts';
import { MODEL_HARNESS } from './model-harness.ts';
import type { TeamSettings } from './team-settings.ts';
import type { Spawn } from './tools/spawn-tools.ts';

export interface MemberPlans {
  team(name: string | undefined, members: readonly NewMember[], context: CallContext): Promise<NewTeam>;
  child(asked: Spawn, parent: Member, state: TeamState): Promise<MemberSpec>;
}

export interface MemberPlansOptions {
  directory: AgentDirectory;
  settings(): TeamSettings;
  /** The hub's environment, to find programs. */
  env: Environment;
  /** Throws if members cannot be confined although they have to be. */
  requireSandbox(): Promise<void>;
  /** Holds the worktrees of members. */
  worktreesFolder: string;
}

/** Validates new members: their agent, harness and folder. */
export function createMemberPlans(options: MemberPlansOptions): MemberPlans {
  const { directory, settings } = options;
  /** Refuses a program that is not installed: its member would only fail, turn by turn. */
  async function requireHarness(name: string, folder: string): Promise<void> {
    const missing = await findHarness(settings().harnesses, name).missing(options.env, folder);
    if (missing === null) return;
    throw new ZooError('invalid_arguments', `Harness '${name}' is not installed: ${missing}.`);
  }
  async function requireAgent(id: string, context: CallContext): Promise<void> {
    const [{ agent }, view] = await Promise.all([
      directory.find(id, context),
      directory.view(context.workspace),
    ]);
    if (mayRun(agent, view)) return;
    throw new ZooError('untrusted', `Agent '${id}' is from a workspace that you have not approved.`);
  }

  /** `above` is the worktree that `source` is, if it is one. */
  async function placeOf(
    name: string,
    source: string,
    wantsWorktree: boolean,
    above: Worktree | null,
  ): Promise<Pick<MemberSpec, 'folder' | 'worktree'>> {
    if (!wantsWorktree) return { folder: source, worktree: null };
    const gitDir = above?.gitDir ?? (await gitDirOf(source));
    const unique = `${name}-${randomBytes(4).toString('hex')}`;
    const worktree: Worktree = { branch: `zoo/${unique}`, source, gitDir, state: 'open' };
    return { folder: join(options.worktreesFolder, unique), worktree };
  }

  return {
    async team(name, members, context) {
      const { limits } = settings();
      // Before the folders and programs of all of them are looked up.
      if (members.length > limits.members) {
        throw new ZooError('budget_exceeded', `At most ${limits.members} members in a team are allowed.`);
      }
      if (members.some((member) => member.harness !== MODEL_HARNESS)) await options.requireSandbox();
      const { located } = await directory.view(context.workspace);
      const folders = new Map<string, string>();
      const specs: (MemberSpec & { parent?: string | undefined })[] = [];
      for (const member of members) {
        if (member.agent !== undefined) await requireAgent(member.agent, context);
        else if (member.harness === MODEL_HARNESS) {
          throw new ZooError(
            'invalid_arguments',
            `Member '${member.name}' needs an agent for the harness 'model'.`,
          );
        }
        const first = members[0]?.name ?? '';
        const above = specs.length === 0 ? located.path : folders.get(member.parent ?? first);
        const source = await childFolder(above ?? located.path, member.subdir ?? null);
        await requireHarness(member.harness, source);
        const place = await placeOf(member.name, source, member.worktree ?? false, null);
        folders.set(member.name, place.folder);
        specs.push({
          name: member.name,
          role: specs.length === 0 ? 'root' : (member.role ?? 'worker'),
          harness: member.harness,
          agentId: member.agent ?? null,
          instructions: member.task ?? '',
          ...place,
          budget: budgetOf(member.budget),
          parent: member.parent,
        });
      }
      return {
        name: name ?? members[0]?.name ?? 'team',
        workspace: context.workspace,
        startedBy: context.caller.kind === 'operator' ? null : callerKey(context.caller),
        limits,
        members: specs,
      };
    },
    async child(asked, parent, { team }) {
      const runs = asked.harness ?? parent.harness;
      // A member of the hub's own runner is a definition; by default, that of its parent.
      const agent = asked.agent ?? (runs === MODEL_HARNESS ? parent.agentId : null);
      if (agent !== null) await requireAgent(agent, localContext(team.workspace));
      const source = await childFolder(parent.folder, asked.workspace_subdir);
      await requireHarness(runs, source);
      return {
        name: asked.name,
        role: parent.role === 'reviewer' ? 'reviewer' : asked.role,
        harness: runs,
        agentId: agent,
        instructions: asked.instructions,
        ...(await placeOf(
          asked.name,
          source,
          asked.worktree,
          source === parent.folder ? parent.worktree : null,
        )),
        budget: budgetOf(asked.budget),
      };
    },
  };
}

/** Throws for a name that is not configured. */
export function findHarness(harnesses: TeamSettings['harnesses'], name: string): Harness {
  const found = harnesses.get(name);
  if (found) return found;
  const names = [...harnesses.keys()];
  const near = nearest(name, names);
  throw new ZooError(
    'invalid_arguments',
    `Harness '${name}' not found. Available: ${names.join(', ')}.${near === null ? '' : ` Did you mean '${near}'?`}`,
  );
}

const budgetOf = (budget: NewMember['budget']): BudgetLimit => budget ?? {};

/** A git directory inside of the folder: one elsewhere would show a child more than its parent sees. */
async function gitDirOf(folder: string): Promise<string> {
  const path = join(folder, '.git');
  const entry = await lstat(path).catch(() => null);
  if (entry?.isDirectory()) return path;
  throw new ZooError(
    'invalid_arguments',
    `worktree: ${folder} is not the root of a git repository${entry ? ' with a .git folder of its own' : ''}.`,
  );
}
