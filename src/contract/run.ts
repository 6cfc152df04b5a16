import * as z from 'zod';
import { ERROR_CODES } from './errors.ts';
import { Receipt } from './resolved.ts';
import { ContentBlock } from './tool.ts';

const ErrorCode = z.enum(ERROR_CODES);

/** Token usage, and the cost if the price is known. */
export const Usage = z.strictObject({
  /** All input, cached tokens included. */
  inputTokens: z.int().min(0),
  cachedTokens: z.int().min(0),
  cacheWriteTokens: z.int().min(0),
  /** All output, reasoning included. */
  outputTokens: z.int().min(0),
  reasoningTokens: z.int().min(0),
  /** Null while no price of the model is known. */
  usd: z.number().min(0).nullable(),
});
export type Usage = z.infer<typeof Usage>;

/** Opaque data that a provider expects back in later requests, such as the signature of a reasoning part. */
const ProviderData = z.record(z.string(), z.record(z.string(), z.unknown())).optional();

export const TextPart = z.strictObject({
  type: z.literal('text'),
  text: z.string(),
  provider: ProviderData,
});
export const FilePart = z.strictObject({
  type: z.literal('file'),
  mediaType: z.string(),
  /** Base64. */
  data: z.string(),
  name: z.string().optional(),
});
const ReasoningPart = z.strictObject({
  type: z.literal('reasoning'),
  text: z.string(),
  provider: ProviderData,
});
export const ToolCallPart = z.strictObject({
  type: z.literal('tool-call'),
  id: z.string(),
  name: z.string(),
  /** Arguments as the model wrote them; a string when they were not valid JSON. */
  input: z.unknown(),
  provider: ProviderData,
});
const EditedArguments = z.record(z.string(), z.unknown()).optional();
export const ToolResultPart = z.strictObject({
  type: z.literal('tool-result'),
  id: z.string(),
  name: z.string(),
  /** The arguments of the call, if a person replaced those of the model. */
  editedArguments: EditedArguments,
  content: z.array(ContentBlock),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean(),
});
export type ToolCallPart = z.infer<typeof ToolCallPart>;
export type ToolResultPart = z.infer<typeof ToolResultPart>;

/** One message between an agent and its model. Tool results are a message of their own. */
export const ModelMessage = z.discriminatedUnion('role', [
  z.strictObject({
    role: z.literal('user'),
    parts: z.array(z.discriminatedUnion('type', [TextPart, FilePart])),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    parts: z.array(z.discriminatedUnion('type', [TextPart, ReasoningPart, ToolCallPart, FilePart])),
  }),
  z.strictObject({ role: z.literal('tool'), parts: z.array(ToolResultPart) }),
]);
export type ModelMessage = z.infer<typeof ModelMessage>;
export type UserPart = Extract<ModelMessage, { role: 'user' }>['parts'][number];
export type AssistantPart = Extract<ModelMessage, { role: 'assistant' }>['parts'][number];

/**
 * `waiting` for a person's answer; `interrupted` when the hub exited at a point where an automatic retry could
 * repeat a side effect. Both can be resumed.
 */
export const RunState = z.enum([
  'queued',
  'running',
  'waiting',
  'completed',
  'failed',
  'cancelled',
  'interrupted',
]);
export type RunState = z.infer<typeof RunState>;

/** Why a run ended. Limits have the names of their settings. */
export const EndReason = z.enum([
  'answered',
  'max_output_tokens',
  'max_turns',
  'max_seconds',
  'budget',
  'refusal',
  'cancelled',
  'token_revoked',
  'error',
]);
export type EndReason = z.infer<typeof EndReason>;

export const RunError = z.strictObject({ code: ErrorCode, message: z.string() });
export type RunError = z.infer<typeof RunError>;

/** The events of a run, in order. Deltas carry their offset in the part, so that applying one twice is harmless. */
export const RunEvent = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('run-started'),
    agentId: z.string(),
    model: z.string(),
    prompt: z.string(),
    /** Tools of the agent's list that only exist inside an editor or command-line client. */
    missingTools: z.array(z.string()),
    warnings: z.array(z.string()),
  }),
  z.strictObject({ type: z.literal('step-started'), step: z.int().min(1) }),
  z.strictObject({
    type: z.literal('text'),
    step: z.int(),
    part: z.int(),
    offset: z.int(),
    text: z.string(),
  }),
  z.strictObject({
    type: z.literal('reasoning'),
    step: z.int(),
    part: z.int(),
    offset: z.int(),
    text: z.string(),
  }),
  z.strictObject({
    type: z.literal('tool-call'),
    step: z.int(),
    id: z.string(),
    name: z.string(),
    arguments: z.unknown(),
  }),
  z.strictObject({
    type: z.literal('tool-progress'),
    step: z.int(),
    id: z.string(),
    done: z.number(),
    total: z.number().optional(),
    message: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('tool-result'),
    step: z.int(),
    id: z.string(),
    name: z.string(),
    /** The arguments of the call, if a person replaced those of the model. */
    editedArguments: EditedArguments,
    content: z.array(ContentBlock),
    isError: z.boolean(),
    durationMs: z.number().min(0),
  }),
  z.strictObject({
    type: z.literal('approval-requested'),
    step: z.int(),
    questionId: z.string(),
    toolCallId: z.string(),
    name: z.string(),
    arguments: z.unknown(),
  }),
  z.strictObject({
    type: z.literal('approval-answered'),
    questionId: z.string(),
    toolCallId: z.string(),
    decision: z.enum(['once', 'chat', 'always', 'deny']),
    reason: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('question-asked'),
    step: z.int(),
    questionId: z.string(),
    toolCallId: z.string(),
    /** A server asks for input, or needs a sign-in. */
    kind: z.enum(['elicitation', 'login']),
    message: z.string(),
  }),
  z.strictObject({
    type: z.literal('question-settled'),
    step: z.int(),
    questionId: z.string(),
    toolCallId: z.string(),
  }),
  z.strictObject({ type: z.literal('message-joined'), step: z.int(), text: z.string() }),
  z.strictObject({ type: z.literal('context-shortened'), step: z.int(), message: z.string() }),
  /** The model is asked again, at once if it is another model: the text of this step so far is void. */
  z.strictObject({ type: z.literal('retry'), step: z.int(), message: z.string(), afterMs: z.number() }),
  z.strictObject({ type: z.literal('usage'), step: z.int(), usage: Usage, total: Usage }),
  z.strictObject({ type: z.literal('warning'), message: z.string() }),
  z.strictObject({ type: z.literal('error'), code: ErrorCode, message: z.string() }),
  z.strictObject({
    type: z.literal('done'),
    state: RunState,
    /** Null for an interrupted run; absent in events of older hubs. */
    reason: EndReason.nullable().optional(),
    /** The final answer, or the part of it that exists if the run did not complete. */
    text: z.string(),
    steps: z.int().min(0),
    usage: Usage,
  }),
]);
export type RunEvent = z.infer<typeof RunEvent>;

/** A row of the list of runs. */
export const RunSummary = z.strictObject({
  id: z.string(),
  state: RunState,
  agentId: z.string(),
  agentRevision: z.int().min(0),
  workspace: z.string(),
  model: z.string().nullable(),
  caller: z.string(),
  surface: z.string(),
  prompt: z.string(),
  steps: z.int().min(0),
  usage: Usage,
  error: RunError.nullable(),
  /** Null while the run has not ended, or is interrupted. */
  endReason: EndReason.nullable(),
  /** The chat it is part of, and which of its turns it is. */
  chatId: z.string().nullable(),
  turn: z.int().min(1).nullable(),
  /** The run whose tool call started this one. */
  parent: z.string().nullable(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
});
export type RunSummary = z.infer<typeof RunSummary>;

export const RunStep = z.strictObject({
  step: z.int().min(1),
  model: z.string(),
  messages: z.array(ModelMessage),
  usage: Usage,
  startedAt: z.string(),
  durationMs: z.number().min(0),
});
export type RunStep = z.infer<typeof RunStep>;

export const Run = RunSummary.extend({
  input: z.array(z.discriminatedUnion('type', [TextPart, FilePart])),
  system: z.string(),
  tools: z.array(z.string()),
  receipt: Receipt.nullable(),
  text: z.string(),
  stepsTaken: z.array(RunStep),
});
export type Run = z.infer<typeof Run>;

/** The part of an answer that had arrived when the run was cut off; steps have complete answers only. */
export function cutOffText({ text, stepsTaken }: Pick<Run, 'text' | 'stepsTaken'>): string {
  const answers = stepsTaken.flatMap(({ messages }) =>
    messages.map(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')),
  );
  return answers.includes(text) ? '' : text;
}

/** What a run sent to the model besides its input and the messages of its steps. */
export const RunHistory = z.strictObject({
  /** Before the input: opening messages of the agent, and the earlier turns of the chat. */
  messages: z.array(ModelMessage),
  /** Replaces everything before this step once the conversation became too long. */
  shortened: z.strictObject({ step: z.int().min(1), messages: z.array(ModelMessage) }).nullable(),
});
export type RunHistory = z.infer<typeof RunHistory>;

export const NO_USAGE: Usage = {
  inputTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  usd: 0,
};

/** The price of the sum is unknown if any price is. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    usd: a.usd === null || b.usd === null ? null : a.usd + b.usd,
  };
}
