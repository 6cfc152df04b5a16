import * as z from 'zod';
import {
  MemberState,
  TeamBudget,
  TeamMessage,
  TeamRunState,
  TeamTurn,
  WorktreeState,
} from '../../contract/team.ts';

/** Ids of the two participants that are no members. */
export const USER = 'user';
export const HUB = 'hub';

export const Amounts = z.strictObject({
  tokens: z.number().min(0),
  usd: z.number().min(0),
  turns: z.int().min(0),
});
export type Amounts = z.infer<typeof Amounts>;
export type BudgetLimit = z.infer<typeof TeamBudget>;

const Role = z.enum(['root', 'worker', 'reviewer']);

/** A git worktree that a member has for itself. */
export const Worktree = z.strictObject({
  branch: z.string(),
  /** The folder that it is created from and merged into. */
  source: z.string(),
  /** The git directory of the repository. */
  gitDir: z.string(),
  state: WorktreeState,
});
export type Worktree = z.infer<typeof Worktree>;

/** Everything that describes a member besides its place in the tree. */
export const MemberSpec = z.strictObject({
  name: z.string(),
  role: Role,
  harness: z.string(),
  agentId: z.string().nullable(),
  /** Its task, delivered as the first message. */
  instructions: z.string(),
  /** Its folder, an absolute path. */
  folder: z.string(),
  worktree: Worktree.nullable(),
  budget: TeamBudget,
});
export type MemberSpec = z.infer<typeof MemberSpec>;

export const Member = MemberSpec.omit({ instructions: true }).extend({
  id: z.string(),
  /** The id of the member that spawned it; null for the root. */
  parent: z.string().nullable(),
  depth: z.int().min(0),
  state: MemberState,
  /** Why it failed or was stopped. */
  reason: z.string().nullable(),
  /** The harness's own id of the conversation, by which it is resumed. */
  session: z.string().nullable(),
  /** The turn that runs, or is to be retried. */
  turn: z.string().nullable(),
  spent: Amounts,
  /** The result passed to `complete`; it takes effect when the turn succeeds. */
  result: z.string().nullable(),
  /** Recipients of what it has sent in its turn. */
  sentTo: z.array(z.string()),
  /** How many turns in a row it only exchanged messages with one other member. */
  bounce: z.strictObject({ peer: z.string(), count: z.int() }).nullable(),
});
export type Member = z.infer<typeof Member>;

/** `from` and `to` are ids of members, `user` or `hub`. */
export const Message = TeamMessage.omit({ waitsForReply: true, at: true }).extend({
  /** Whether the sender asked for a reply. */
  sync: z.boolean(),
  /** Whether that reply is still to come. */
  open: z.boolean(),
  /** When the sender is told that nobody replied, in milliseconds since 1970. */
  deadline: z.number().nullable(),
  /** The turn that holds it, and how it got there. */
  turn: z.string().nullable(),
  via: z.enum(['prompt', 'inbox']).nullable(),
  /** The turn in which its sender sent it. */
  sentIn: z.string().nullable(),
  at: z.number(),
});
export type Message = z.infer<typeof Message>;

/** One tool call or permission request of a turn, for people who look into it. */
export const TurnActivity = z.strictObject({ kind: z.string(), title: z.string(), at: z.number() });
export type TurnActivity = z.infer<typeof TurnActivity>;

export const Turn = TeamTurn.omit({ tools: true, startedAt: true, endedAt: true }).extend({
  member: z.string(),
  failures: z.int(),
  interruptions: z.int(),
  activity: z.array(TurnActivity),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
});
export type Turn = z.infer<typeof Turn>;

export const TeamLimits = z.strictObject({
  depth: z.int(),
  children: z.int(),
  members: z.int(),
  /** Tool calls of one member per minute. */
  callsPerMinute: z.int(),
  /** Of all members together. */
  budget: TeamBudget,
  replyMs: z.number(),
  /** Retries of a turn that failed, and of one that the end of the hub interrupted. */
  retries: z.int(),
  interruptions: z.int(),
  bounces: z.int(),
});
export type TeamLimits = z.infer<typeof TeamLimits>;

export const DEFAULT_LIMITS: TeamLimits = {
  depth: 3,
  children: 8,
  members: 24,
  callsPerMinute: 60,
  budget: { tokens: 10_000_000, usd: 25, turns: 500 },
  replyMs: 10 * 60_000,
  retries: 2,
  interruptions: 5,
  bounces: 12,
};

export const Team = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** The workspace whose agents, tools and knowledge its members see. */
  workspace: z.string(),
  state: TeamRunState,
  /** The caller that started it, if it was not the operator. */
  startedBy: z.string().nullable(),
  limits: TeamLimits,
  spent: Amounts,
  nextSeq: z.int(),
  createdAt: z.number(),
});
export type Team = z.infer<typeof Team>;

/**
 * A team as far as it can still change: all members, messages that are not settled, turns that run or will be retried.
 * What is settled is in the store alone.
 */
export interface TeamState {
  readonly team: Team;
  readonly members: ReadonlyMap<string, Member>;
  readonly messages: ReadonlyMap<string, Message>;
  readonly turns: ReadonlyMap<string, Turn>;
}

/** A state change to record. `subject` is the id of the team, member, message or turn. */
export interface HistoryEntry {
  type: 'team' | 'member' | 'message' | 'turn' | 'worktree';
  subject: string;
  state: string;
  reason: string | null;
}

/** Something to be done after the decision is stored. */
export type Effect =
  | { type: 'run-turn'; member: string; turn: string }
  | { type: 'cancel-turn'; member: string; turn: string }
  | { type: 'end-session'; member: string };

/** Clock and ids come from outside, so that the same events lead to the same state. */
export interface StepEnv {
  now: number;
  newId(): string;
}

export const NOTHING_SPENT: Amounts = { tokens: 0, usd: 0, turns: 0 };

export const isOver = ({ state }: Pick<Member, 'state'>): boolean =>
  state === 'done' || state === 'failed' || state === 'stopped';

/** Such as `is done` or `has failed`, after a name. */
export const inWords = (state: Member['state'] | Team['state']): string =>
  state === 'failed' ? 'has failed' : `is ${state}`;

/** Whether nothing can happen in it any more, except for mail that is read or delivered again. */
export const isTeamOver = ({ team, turns }: Pick<TeamState, 'team' | 'turns'>): boolean =>
  team.state !== 'running' && team.state !== 'paused' && turns.size === 0;

/** The id that its sender was given: the copies of a broadcast have ids of their own. */
export const idForSender = ({ id, broadcast }: Pick<Message, 'id' | 'broadcast'>): string => broadcast ?? id;

/** Whether a message can change no more. */
export const isSettled = ({ state, open }: Pick<Message, 'state' | 'open'>): boolean =>
  state === 'dead' || state === 'answered' || (state === 'read' && !open);
