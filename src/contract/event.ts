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
  /** A config says something else about the tools there are. */
  'tools-changed',
  /** A sync of a source came to its end: its documents may be others. */
  'knowledge-synced',
  /** A run is in another state. */
  'run-changed',
  /** Something waits for a person, or no longer does. */
  'question-asked',
  'question-settled',
  'diagnostics-changed',
  'trust-changed',
  'store-restored',
  /** Events before this one are no longer kept: read everything again. */
  'events-lost',
]);
export type EventType = z.infer<typeof EventType>;

/** One change, numbered in the order of commits; the number resumes a stream. */
export const ZooEvent = z.strictObject({
  seq: z.int().min(0),
  type: EventType,
  at: z.string(),
  /** Null for what every workspace shares. */
  workspace: z.string().nullable(),
  agentId: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
});
export type ZooEvent = z.infer<typeof ZooEvent>;
