import * as z from 'zod';

export const EventType = z.enum([
  'agent-created',
  'agent-changed',
  'agent-deleted',
  'agent-undeleted',
  'brain-created',
  'brain-changed',
  'brain-deleted',
  'current-changed',
  'tools-changed',
  /** An upstream MCP server has started, stopped or failed. */
  'upstream-changed',
  /** A sync of a source has finished; its documents may have changed. */
  'knowledge-synced',
  /** An MCP client has called, for the first time in a while. */
  'client-seen',
  'run-changed',
  'team-changed',
  'question-asked',
  'question-settled',
  'diagnostics-changed',
  'trust-changed',
  'store-restored',
  /** Earlier events are no longer stored: reload everything. */
  'events-lost',
]);
export type EventType = z.infer<typeof EventType>;

/** One change, numbered in commit order. Streams resume from a number. */
export const ZooEvent = z.strictObject({
  seq: z.int().min(0),
  type: EventType,
  at: z.string(),
  /** Null if it applies to all workspaces. */
  workspace: z.string().nullable(),
  agentId: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
});
export type ZooEvent = z.infer<typeof ZooEvent>;
