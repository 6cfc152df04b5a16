import * as z from 'zod';
import type { Operation } from '../table/operation.ts';
import {
  HarnessState,
  MemberDiff,
  NewMember,
  TeamDetails,
  TeamMember,
  TeamMessage,
  TeamSummary,
  TeamTimelineEntry,
  TeamTurn,
} from '../team.ts';

const tag = 'teams';
const unary = { kind: 'unary', tag, access: 'operator' } as const;
const read = { ...unary, method: 'GET', status: 200 } as const;
const change = { ...unary, method: 'POST', status: 200 } as const;
const params = z.object({ id: z.string() });
const missing = ['team_not_found'] as const;
const memberParams = z.object({ id: z.string(), member: z.string() });
const missingMember = ['team_not_found', 'member_not_found'] as const;
const messages = z.strictObject({ messages: z.array(TeamMessage) });

export const operations = {
  listHarnesses: {
    ...read,
    summary: 'List the harnesses that can run team members, and what is missing for those that cannot',
    path: '/api/harnesses',
    output: z.strictObject({ harnesses: z.array(HarnessState), sandbox: z.string() }),
    errors: [],
  },
  readTeamFile: {
    ...change,
    summary: 'Read a team file without starting the team',
    path: '/api/team-files',
    body: z.strictObject({ text: z.string().max(1_000_000) }),
    output: z.strictObject({ name: z.string().nullable(), members: z.array(NewMember) }),
    errors: ['invalid_arguments'],
  },
  startTeam: {
    ...change,
    summary: 'Start a team; its first member is the root',
    path: '/api/teams',
    body: z.strictObject({ name: z.string().min(1).max(100).optional(), members: z.array(NewMember).min(1) }),
    output: TeamDetails,
    status: 201,
    errors: [
      'agent_not_found',
      'invalid_arguments',
      'already_exists',
      'untrusted',
      'permission_denied',
      'budget_exceeded',
    ],
  },
  listTeams: {
    ...read,
    summary: 'List teams, newest first',
    path: '/api/teams',
    output: z.strictObject({ teams: z.array(TeamSummary) }),
    errors: [],
  },
  getTeam: {
    ...read,
    summary: 'Get a team with all members',
    path: '/api/teams/{id}',
    params,
    output: TeamDetails,
    errors: missing,
  },
  listTeamMessages: {
    ...read,
    summary: 'List the messages of a team in the order in which they were sent',
    path: '/api/teams/{id}/messages',
    params,
    query: z.object({
      after: z.int().min(0).optional(),
      limit: z.int().min(1).max(1000).optional(),
      dead: z.boolean().optional(),
    }),
    output: messages,
    errors: missing,
  },
  sendToMember: {
    ...change,
    summary: 'Send a message to a member of a team',
    path: '/api/teams/{id}/messages',
    params,
    body: z.strictObject({ to: z.string(), text: z.string().min(1), replyTo: z.string().optional() }),
    output: z.strictObject({ id: z.string() }),
    status: 202,
    errors: [
      'team_not_found',
      'member_not_found',
      'message_not_found',
      'invalid_arguments',
      'unreachable_member',
      'conflict',
      'too_large',
    ],
  },
  readTeamInbox: {
    ...change,
    summary: 'Read the messages that a team has sent to the user, and mark them as read',
    path: '/api/teams/{id}/inbox',
    params,
    output: messages,
    errors: missing,
  },
  redeliverMessage: {
    ...change,
    summary: 'Deliver a dead letter again',
    path: '/api/teams/{id}/messages/{message}/redeliver',
    params: z.object({ id: z.string(), message: z.string() }),
    output: z.strictObject({ id: z.string() }),
    errors: ['team_not_found', 'message_not_found', 'invalid_arguments', 'conflict'],
  },
  inspectMember: {
    ...read,
    summary: 'Get a member of a team with its last turns, newest first',
    path: '/api/teams/{id}/members/{member}',
    params: memberParams,
    output: z.strictObject({ member: TeamMember, turns: z.array(TeamTurn) }),
    errors: missingMember,
  },
  getTeamTimeline: {
    ...read,
    summary: 'List the state changes of a team, its members, messages and turns, in order',
    path: '/api/teams/{id}/timeline',
    params,
    query: z.object({ after: z.int().min(0).optional(), limit: z.int().min(1).max(1000).optional() }),
    /** `next` is the `after` of the following page. */
    output: z.strictObject({ entries: z.array(TeamTimelineEntry), next: z.int() }),
    errors: missing,
  },
  listMemberTurns: {
    ...read,
    summary: 'List the turns of a member, newest first',
    path: '/api/teams/{id}/members/{member}/turns',
    params: memberParams,
    /** Only turns with a lower number than `before`. */
    query: z.object({ before: z.int().min(1).optional(), limit: z.int().min(1).max(200).optional() }),
    output: z.strictObject({ turns: z.array(TeamTurn) }),
    errors: missingMember,
  },
  getMemberDiff: {
    ...read,
    summary: 'Get what a member has changed in the git repository of its folder',
    path: '/api/teams/{id}/members/{member}/diff',
    params: memberParams,
    output: MemberDiff,
    errors: [...missingMember, 'conflict'],
  },
  mergeMember: {
    ...change,
    summary: "Merge the branch of a member's worktree into the folder that it was created from",
    path: '/api/teams/{id}/members/{member}/merge',
    params: memberParams,
    output: TeamMember,
    errors: [...missingMember, 'conflict'],
  },
  discardMember: {
    ...change,
    summary: 'Remove the worktree and the branch of a member that has ended, with everything in them',
    path: '/api/teams/{id}/members/{member}/discard',
    params: memberParams,
    output: TeamMember,
    errors: [...missingMember, 'conflict'],
  },
  pauseTeam: {
    ...change,
    summary: 'Pause a team: no new turn starts',
    path: '/api/teams/{id}/pause',
    params,
    output: TeamDetails,
    errors: ['team_not_found', 'conflict'],
  },
  resumeTeam: {
    ...change,
    summary: 'Resume a paused team',
    path: '/api/teams/{id}/resume',
    params,
    output: TeamDetails,
    errors: ['team_not_found', 'conflict'],
  },
  stopTeam: {
    ...change,
    summary: 'Stop a team, or one of its members with everything below it',
    path: '/api/teams/{id}/stop',
    params,
    body: z.strictObject({ member: z.string().optional() }).optional(),
    output: TeamDetails,
    errors: ['team_not_found', 'member_not_found', 'conflict'],
  },
} as const satisfies Record<string, Operation>;
