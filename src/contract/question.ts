import * as z from 'zod';

/**
 * Why a person is asked: to allow a tool call, to fill in a form, to permit an action of a team member, to sign in.
 */
export const QuestionKind = z.enum(['approval', 'elicitation', 'permission', 'login']);
export type QuestionKind = z.infer<typeof QuestionKind>;

export const QuestionStatus = z.enum(['open', 'answered', 'expired', 'withdrawn']);
export type QuestionStatus = z.infer<typeof QuestionStatus>;

/** Something that waits for a person. */
export const Question = z.strictObject({
  id: z.string(),
  kind: QuestionKind,
  /** Who asks: a run, a chat, a member of a team, an upstream server. */
  asker: z.strictObject({ kind: z.string(), id: z.string() }),
  workspace: z.string().nullable(),
  agentId: z.string().nullable(),
  /** One line for a list. */
  title: z.string(),
  /** What it is about: the tool and its arguments, the message of a server, the address to sign in at. */
  details: z.record(z.string(), z.unknown()),
  /** The JSON Schema of the answer; null if any object is valid. */
  schema: z.record(z.string(), z.unknown()).nullable(),
  askedAt: z.string(),
  /** After this time nobody can answer; null for no limit. */
  expiresAt: z.string().nullable(),
  status: QuestionStatus,
  answer: z.record(z.string(), z.unknown()).nullable(),
  settledAt: z.string().nullable(),
  settledBy: z.string().nullable(),
});
export type Question = z.infer<typeof Question>;
