import * as z from 'zod';
import type { CallContext } from '../../../contract/call.ts';
import { ZooError } from '../../../contract/errors.ts';
import { NewMember, TeamBudget, type TeamDetails } from '../../../contract/team.ts';
import type { Tool } from '../../../contract/tool.ts';
import { confirmation, defineTool, jsonResult } from '../../../tools/define-tool.ts';
import { TEAM_START, type TeamJobs } from '../team-jobs.ts';
import { text } from './member-call.ts';

export interface ClientToolsOptions {
  jobs: TeamJobs;
  start(
    team: { name?: string | undefined; members: NewMember[] },
    context: CallContext,
  ): Promise<TeamDetails>;
  details(id: string): Promise<TeamDetails>;
  send(id: string, to: string, words: string): Promise<string>;
}

const Start = z.object({
  task: z.string().min(1),
  harness: z.string(),
  agent: z.string().optional(),
  name: z.string().min(1).max(100).optional(),
  members: z.array(NewMember).optional(),
  budget: TeamBudget.optional(),
});

/** For MCP clients that hand a job to a team. They reach the teams that they have started. */
export function createClientTeamTools({ jobs, start, details, send }: ClientToolsOptions): readonly Tool[] {
  return [
    defineTool(
      {
        name: TEAM_START,
        title: 'Start a team',
        description:
          'Hands a task to a team of agents that work on this machine. Returns at once with a jobId; zoo_job_status waits for the team, zoo_job_result has what it reports.',
        properties: {
          task: { ...text, description: 'The task for the root of the team.' },
          harness: { ...text, description: 'What runs the root, such as claude, codex, gemini or model.' },
          agent: { ...text, description: 'The agent definition that the root follows.' },
          name: { ...text, description: 'Name of the team.' },
          members: {
            type: 'array',
            items: { type: 'object' },
            description:
              'More members: name, harness, task?, agent?, role?, parent?, subdir?, worktree?, budget?.',
          },
          budget: { type: 'object', description: 'Limits of the root: tokens, usd, turns.' },
        },
        required: ['task', 'harness'],
        answers: { message: text, jobId: text, team: text },
        effect: 'adds',
      },
      Start,
      async ({ task, harness, agent, name, members = [], budget }, { context }) => {
        refuseMembers(context);
        const root = {
          name: 'root',
          harness,
          task,
          ...(agent === undefined ? {} : { agent }),
          ...(budget ? { budget } : {}),
        };
        const team = await start({ name, members: [root, ...members] }, context);
        const argument = JSON.stringify({ jobId: team.id });
        return confirmation(
          `The team '${team.name}' works on it. Call zoo_job_status with ${argument} to wait for it.`,
          {
            jobId: team.id,
            team: team.name,
          },
        );
      },
    ),
    defineTool(
      {
        name: 'zoo_team_status',
        title: 'Team status',
        description: 'Shows the members of a team that you have started, with their states.',
        properties: { team: { ...text, description: 'Id or name of the team.' } },
        required: ['team'],
        answers: { id: text, name: text, state: text, members: { type: 'array' } },
        effect: 'reads',
      },
      z.object({ team: z.string() }),
      async ({ team: named }, { context }) => {
        const { id } = await jobs.visible(named, context);
        const { name, state, spent, members } = await details(id);
        const shown = members.map((member) => ({
          name: member.name,
          parent: member.parent,
          role: member.role,
          harness: member.harness,
          state: member.state,
          reason: member.reason,
          unread: member.unread,
        }));
        return jsonResult({ id, name, state, spent, members: shown });
      },
    ),
    defineTool(
      {
        name: 'zoo_team_send',
        title: 'Send to a team',
        description: 'Sends a message to a member of a team that you have started. Returns at once.',
        properties: {
          team: { ...text, description: 'Id or name of the team.' },
          member: { ...text, description: 'Name of the member; the root by default.' },
          text: { ...text, description: 'Message body.' },
        },
        required: ['team', 'text'],
        answers: { message: text, messageId: text },
        effect: 'adds',
      },
      z.object({ team: z.string(), member: z.string().optional(), text: z.string().min(1) }),
      async ({ team: named, member, text: words }, { context }) => {
        refuseMembers(context);
        const { id } = await jobs.visible(named, context);
        const { members } = await details(id);
        const to = member ?? members.find(({ parent }) => parent === null)?.name ?? '';
        return confirmation(`Sent to ${to}.`, { messageId: await send(id, to, words) });
      },
    ),
  ];
}

/** Members have their own tools, with limits that a separate team would bypass. */
function refuseMembers({ caller }: CallContext): void {
  if (caller.kind !== 'member') return;
  throw new ZooError('out_of_scope', 'Members of a team use spawn_agent and send_message.');
}
