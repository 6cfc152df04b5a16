import * as z from 'zod';
import type { Tool } from '../../../contract/tool.ts';
import { type RecentCalls, countCall } from '../../../teams/call-rate.ts';
import type { TeamStore } from '../../../teams/team-store.ts';
import { defineTool } from '../../../tools/define-tool.ts';
import type { SettleWorktree } from '../settle-worktree.ts';
import { createMailTools } from './mail-tools.ts';
import { answer, type MemberCall, text } from './member-call.ts';
import { createSpawnTool, createWorktreeTools, type PlanChild } from './spawn-tools.ts';
import { createViewTools } from './view-tools.ts';

export interface TeamToolsOptions {
  store: TeamStore;
  teamOf: MemberCall;
  plan: PlanChild;
  settleWorktree: SettleWorktree;
  now: () => number;
}

/** The tools of seed 003, for members only. Each returns at once, whatever the recipient does. */
export function createTeamTools(options: TeamToolsOptions): readonly Tool[] {
  const calls: RecentCalls = new Map();
  const limited: MemberCall = (call) => {
    const found = options.teamOf(call);
    const { callsPerMinute } = found.actor.state().team.limits;
    countCall(calls, found.member.id, { perMinute: callsPerMinute, now: options.now() });
    return found;
  };
  return [
    ...createMailTools(options.store, limited),
    createSpawnTool(options.plan, limited),
    ...createWorktreeTools(options.settleWorktree, limited),
    ...createViewTools(options.store, limited),
    defineTool(
      {
        name: 'complete',
        title: 'Complete the task',
        description:
          'Reports that your whole task is finished. Your parent gets the result, and your work ends with this turn.',
        properties: { result: { ...text, description: 'What your parent should know.' } },
        required: ['result'],
        answers: { status: text },
        effect: 'sets',
      },
      z.object({ result: z.string().min(1).max(100_000) }),
      async ({ result }, call) => {
        const { actor, member } = limited(call);
        await actor.dispatch({ type: 'complete', member: member.id, result });
        return answer({ status: 'completed' }, 'Your result is delivered when your turn ends. End it now.');
      },
    ),
  ];
}
