import * as z from 'zod';
import { AgentPatch } from './agent.ts';
import { FilePart, RunError, RunEvent, RunState, TextPart, Usage } from './run.ts';

const EMPTY = 'must not be empty';

/** A message from a person: text and attached files. Providers refuse text that is only white space. */
export const UserMessage = z.union([
  z.string().min(1).regex(/\S/, EMPTY),
  z
    .array(z.discriminatedUnion('type', [TextPart, FilePart]))
    .min(1)
    .refine((parts) => parts.some((part) => part.type === 'file' || part.text.trim() !== ''), EMPTY),
]);

/** A row of the list of chats. */
export const ChatSummary = z.strictObject({
  id: z.string(),
  agentId: z.string(),
  workspace: z.string(),
  title: z.string(),
  caller: z.string(),
  surface: z.string(),
  /** Models in place of the agent's; null for its own. */
  models: z.array(z.string()).nullable(),
  /** True if nobody can be asked for approval. */
  headless: z.boolean(),
  /** The revision of the agent that it uses; null for the newest. */
  revision: z.int().min(1).nullable(),
  /** Whether it runs the agent with changes that are not saved. */
  isDraft: z.boolean(),
  /** The run that the next message continues; null before the first message. */
  head: z.string().nullable(),
  /** Of the newest run; null while there is none. */
  state: RunState.nullable(),
  turns: z.int().min(0),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type ChatSummary = z.infer<typeof ChatSummary>;

/** A message and its answer. Each is a run; `GET /api/runs/{id}` has its steps and its receipt. */
export const ChatTurn = z.strictObject({
  runId: z.string(),
  turn: z.int().min(1),
  /** The run that it continues. Two turns that continue the same one are branches. */
  previous: z.string().nullable(),
  state: RunState,
  model: z.string().nullable(),
  input: z.array(z.discriminatedUnion('type', [TextPart, FilePart])),
  text: z.string(),
  steps: z.int().min(0),
  usage: Usage,
  error: RunError.nullable(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
});
export type ChatTurn = z.infer<typeof ChatTurn>;

export const Chat = ChatSummary.extend({
  arguments: z.record(z.string(), z.unknown()),
  /** Tools that were allowed for this chat. */
  approvals: z.array(z.string()),
  /** The changes that are not saved. */
  definition: AgentPatch.nullable(),
  /** The JSON Schema of its answers; null for plain text. */
  outputSchema: z.record(z.string(), z.unknown()).nullable(),
  /** All turns in the order in which they began, those of other branches included. */
  history: z.array(ChatTurn),
  /** The runs of the current branch, oldest first. */
  branch: z.array(z.string()),
});
export type Chat = z.infer<typeof Chat>;

/** A turn has begun in this chat; the events of its run follow. */
const TurnStarted = z.strictObject({
  type: z.literal('turn-started'),
  turn: z.int().min(1),
  previous: z.string().nullable(),
  input: z.array(z.discriminatedUnion('type', [TextPart, FilePart])),
});

/** One event of a chat. The number resumes a stream; it grows over all turns. */
export const ChatEvent = z.strictObject({
  seq: z.int().min(1),
  runId: z.string(),
  event: z.discriminatedUnion('type', [TurnStarted, ...RunEvent.options]),
});
export type ChatEvent = z.infer<typeof ChatEvent>;

export const ChatStats = z.strictObject({
  turns: z.int().min(0),
  steps: z.int().min(0),
  toolCalls: z.int().min(0),
  usage: Usage,
  /** Time spent on answers. */
  durationMs: z.number().min(0),
});
export type ChatStats = z.infer<typeof ChatStats>;

/** What became of a message: a run of its own, or part of the one under way. */
export const SentMessage = z.strictObject({
  runId: z.string(),
  turn: z.int().min(1),
  /** The message joins the next step of a run that was under way. */
  joined: z.boolean(),
});
export type SentMessage = z.infer<typeof SentMessage>;
