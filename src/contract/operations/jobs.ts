import * as z from 'zod';
import { RunState } from '../run.ts';
import type { Operation } from '../table/operation.ts';

/** A call of a published tool, or a team, whose result can be fetched later by its id. */
const JobSummary = z.strictObject({
  /** Also the id of its run or team. */
  id: z.string(),
  kind: z.enum(['call', 'team']),
  /** The published tool, or the name of the team. */
  name: z.string(),
  /** Null for teams, whose members have agents. */
  agentId: z.string().nullable(),
  state: RunState,
  /** Who started it. */
  caller: z.string(),
  tokens: z.number().min(0),
  /** Null while no price of the model is known. */
  usd: z.number().min(0).nullable(),
  createdAt: z.string(),
  /** Null while it is under way, and for teams. */
  endedAt: z.string().nullable(),
});
export type JobSummary = z.infer<typeof JobSummary>;

export const operations = {
  listJobs: {
    kind: 'unary',
    tag: 'runs',
    access: 'operator',
    method: 'GET',
    status: 200,
    summary: 'List jobs, newest first: calls of published tools, and teams',
    path: '/api/jobs',
    query: z.object({ limit: z.int().min(1).max(1_000).optional() }),
    output: z.strictObject({ jobs: z.array(JobSummary) }),
    errors: [],
  },
} as const satisfies Record<string, Operation>;
