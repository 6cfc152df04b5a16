import * as z from 'zod';
import { TeamBudget } from '../../../contract/team.ts';
import type { Tool } from '../../../contract/tool.ts';
import type { Member, MemberSpec, TeamState } from '../../../teams/state/team-state.ts';
import { defineTool } from '../../../tools/define-tool.ts';
import type { SettleWorktree } from '../settle-worktree.ts';
import { answer, childNamed, type MemberCall, text } from './member-call.ts';

const Spawn = z.object({
  name: z.string(),
  instructions: z.string().min(1),
  role: z.enum(['worker', 'reviewer']).default('worker'),
  workspace_subdir: z.string().nullable().default(null),
  agent: z.string().optional(),
  harness: z.string().optional(),
  budget: TeamBudget.optional(),
  worktree: z.boolean().default(false),
});
export type Spawn = z.output<typeof Spawn>;

/** Checks agent, harness and folder of a child. */
export type PlanChild = (asked: Spawn, parent: Member, state: TeamState) => Promise<MemberSpec>;

export function createSpawnTool(plan: PlanChild, limited: MemberCall): Tool {
  return defineTool(
    {
      name: 'spawn_agent',
      title: 'Spawn a subagent',
      description:
        'Creates a subagent with a task. It starts as soon as there is room; you are told when it completes or fails.',
      properties: {
        name: text,
        instructions: { ...text, description: 'Its task.' },
        role: { type: 'string', enum: ['worker', 'reviewer'], default: 'worker' },
        workspace_subdir: { type: ['string', 'null'], description: 'Subdirectory of your workspace.' },
        agent: { ...text, description: 'The agent definition it follows; none by default.' },
        harness: { ...text, description: 'What runs it; yours by default.' },
        budget: { type: 'object', description: 'Limits: tokens, usd, turns.' },
        worktree: {
          type: 'boolean',
          default: false,
          description: 'Gives it a git worktree with a branch of its own, which you merge or discard later.',
        },
      },
      required: ['name', 'instructions'],
      answers: { status: text, agent_id: text, name: text },
      effect: 'adds',
    },
    Spawn,
    async (asked, call) => {
      const { actor, member } = limited(call);
      const spec = await plan(asked, member, actor.state());
      const { id } = await actor.dispatch({ type: 'spawn', parent: member.id, spec });
      return answer({ status: 'created', agent_id: id, name: asked.name });
    },
  );
}

/** Merging or discarding a child's work. */
export function createWorktreeTools(settleWorktree: SettleWorktree, limited: MemberCall): Tool[] {
  const settle = (name: string, how: 'merged' | 'discarded', title: string, description: string): Tool =>
    defineTool(
      {
        name,
        title,
        description,
        properties: { name: text },
        required: ['name'],
        answers: { status: text, name: text },
        effect: 'sets',
      },
      z.object({ name: z.string() }),
      async (asked, call) => {
        const { actor, member } = limited(call);
        await settleWorktree(actor, childNamed(actor, member, asked.name), how);
        return answer({ status: how, name: asked.name });
      },
    );
  return [
    settle(
      'merge_worktree',
      'merged',
      'Merge the work of a subagent',
      'Merges the branch of a subagent that has a git worktree into your folder. Fails on conflicts without changing anything.',
    ),
    settle(
      'discard_worktree',
      'discarded',
      'Discard the work of a subagent',
      'Removes the git worktree and the branch of a subagent that has ended, with everything in them.',
    ),
  ];
}
