import * as z from 'zod';

export const TeamBudget = z.strictObject({
  tokens: z.number().min(0).optional(),
  usd: z.number().min(0).optional(),
  turns: z.int().min(0).optional(),
});

const Spent = z.strictObject({ tokens: z.number(), usd: z.number(), turns: z.int() });

export const TeamRunState = z.enum(['running', 'paused', 'done', 'failed', 'stopped']);
export const MemberState = z.enum(['idle', 'busy', 'waiting', 'done', 'failed', 'stopped']);
const MessageState = z.enum(['queued', 'delivered', 'read', 'answered', 'dead']);
const TurnState = z.enum(['running', 'queued', 'ok', 'failed', 'cancelled']);
export const WorktreeState = z.enum(['open', 'merged', 'discarded']);

export const TeamSummary = z.strictObject({
  id: z.string(),
  name: z.string(),
  workspace: z.string(),
  state: TeamRunState,
  spent: Spent,
  createdAt: z.string(),
});
export type TeamSummary = z.infer<typeof TeamSummary>;

export const TeamMember = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** The name of the member that spawned it; null for the root. */
  parent: z.string().nullable(),
  /** Its id: two members that do not see each other may have the same name. */
  parentId: z.string().nullable(),
  role: z.enum(['root', 'worker', 'reviewer']),
  harness: z.string(),
  agentId: z.string().nullable(),
  folder: z.string(),
  /** The branch of its git worktree, and whether it still exists; null without a worktree of its own. */
  worktree: z.strictObject({ branch: z.string(), state: WorktreeState }).nullable(),
  state: MemberState,
  /** Why it failed or was stopped. */
  reason: z.string().nullable(),
  budget: TeamBudget,
  spent: Spent,
  unread: z.int().min(0),
});
export type TeamMember = z.infer<typeof TeamMember>;

export const TeamDetails = TeamSummary.extend({ members: z.array(TeamMember) });
export type TeamDetails = z.infer<typeof TeamDetails>;

export const TeamMessage = z.strictObject({
  id: z.string(),
  /** Order of acceptance within the team. */
  seq: z.int(),
  /** Names of members, `user` or `hub`. */
  from: z.string(),
  to: z.string(),
  kind: z.enum(['message', 'task', 'reply', 'notice']),
  text: z.string(),
  state: MessageState,
  /** Whether the sender still waits for a reply. */
  waitsForReply: z.boolean(),
  /** The message that it answers, or the broadcast. */
  replyTo: z.string().nullable(),
  /** The broadcast that it is a copy of: the only id of it that its sender knows. */
  broadcast: z.string().nullable(),
  /** Why it is a dead letter. */
  reason: z.string().nullable(),
  at: z.string(),
});
export type TeamMessage = z.infer<typeof TeamMessage>;

/** The text without the fences that the hub puts around what it quotes, for the model that reads it. */
export function textForPeople({ from, text }: Pick<TeamMessage, 'from' | 'text'>): string {
  return from === 'hub' ? text.replaceAll(/^<\/?quote-[0-9a-f]+>\n?/gm, '').trimEnd() : text;
}

export const TeamTurn = z.strictObject({
  id: z.string(),
  /** Counts the member's turns; a retry has the same number. */
  number: z.int(),
  state: TurnState,
  prompt: z.string().nullable(),
  answer: z.string().nullable(),
  error: z.string().nullable(),
  tools: z.array(z.string()),
  spent: Spent,
  startedAt: z.string(),
  endedAt: z.string().nullable(),
});
export type TeamTurn = z.infer<typeof TeamTurn>;

const entry = { seq: z.int(), at: z.string() };

/** One state change of a team, in the order in which they were recorded. `state` is the new one. */
export const TeamTimelineEntry = z.discriminatedUnion('type', [
  z.strictObject({ ...entry, type: z.literal('team'), state: TeamRunState }),
  z.strictObject({
    ...entry,
    type: z.literal('member'),
    member: z.string(),
    state: MemberState,
    reason: z.string().nullable(),
  }),
  z.strictObject({ ...entry, type: z.literal('message'), state: MessageState, message: TeamMessage }),
  z.strictObject({
    ...entry,
    type: z.literal('turn'),
    member: z.string(),
    state: TurnState,
    turn: TeamTurn,
  }),
  z.strictObject({ ...entry, type: z.literal('worktree'), member: z.string(), state: WorktreeState }),
]);
export type TeamTimelineEntry = z.infer<typeof TeamTimelineEntry>;

/** What a member has changed in its folder, compared with the commit that its branch started from, or with HEAD. */
export const MemberDiff = z.strictObject({
  branch: z.string().nullable(),
  files: z.array(
    z.strictObject({
      path: z.string(),
      /** Null for binary files. */
      added: z.int().nullable(),
      removed: z.int().nullable(),
    }),
  ),
  /** A unified diff, shortened if it is long. */
  diff: z.string(),
  isShortened: z.boolean(),
});
export type MemberDiff = z.infer<typeof MemberDiff>;

/** A member of a team that is to be started. */
export const NewMember = z.strictObject({
  name: z.string(),
  /** The harness that runs it, as `zoo harness list` names them. */
  harness: z.string(),
  agent: z.string().optional(),
  /** Its first message. */
  task: z.string().optional(),
  role: z.enum(['worker', 'reviewer']).optional(),
  /** The member above it; the first member of the team if absent. */
  parent: z.string().optional(),
  /** A folder below that of the member above it, or for the root below that of the workspace. */
  subdir: z.string().optional(),
  /** Gives it a git worktree with a branch of its own. */
  worktree: z.boolean().optional(),
  budget: TeamBudget.optional(),
});
export type NewMember = z.infer<typeof NewMember>;

export const HarnessState = z.strictObject({
  name: z.string(),
  command: z.array(z.string()),
  installed: z.boolean(),
  version: z.string().nullable(),
  /** How to fix a harness that cannot be used. */
  missing: z.string().nullable(),
});
