import * as z from 'zod';

export const CallOutcome = z.enum([
  'ok',
  'failed',
  /** Ended to ask the client, which then calls again with the answer. */
  'asked',
  /** Cancelled by the caller. */
  'cancelled',
]);
export type CallOutcome = z.infer<typeof CallOutcome>;

export const ToolCallRecord = z.strictObject({
  seq: z.int().min(1),
  at: z.string(),
  /** `operator`, or `agent:ID` for the holder of an agent's token. */
  caller: z.string(),
  surface: z.string(),
  /** The name that the client gave itself; null if it gave none. */
  client: z.string().nullable(),
  /** The agent on whose behalf it was made. */
  agentId: z.string().nullable(),
  workspace: z.string(),
  /** Its wire name, or the requested name if there is no such tool. */
  tool: z.string(),
  displayName: z.string(),
  /** As JSON, secrets masked and long values cut: for people, not for programs. */
  arguments: z.string(),
  durationMs: z.number().min(0),
  outcome: CallOutcome,
  /** Of a call that failed. */
  code: z.string().nullable(),
  message: z.string().nullable(),
});
export type ToolCallRecord = z.infer<typeof ToolCallRecord>;
