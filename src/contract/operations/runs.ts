import * as z from 'zod';
import { AgentPatch } from '../agent.ts';
import { UserMessage } from '../chat.ts';
import { Run, RunEvent, RunState, RunSummary } from '../run.ts';
import type { Operation } from '../table/operation.ts';

const tag = 'runs';
const params = z.object({ id: z.string() });

/** Files are part of the body, as base64. */
const MAX_INPUT_BYTES = 16 * 1024 * 1024;

export const ProviderState = z.strictObject({
  name: z.string(),
  title: z.string(),
  /** Where its key or URL comes from; null if it cannot be used. */
  from: z.string().nullable(),
  baseUrl: z.string().nullable(),
  defaultModel: z.string().nullable(),
  /** How to make it usable. */
  missing: z.string().nullable(),
  /** The result of a minimal test request, if requested. */
  check: z.strictObject({ ok: z.boolean(), message: z.string() }).optional(),
});
export type ProviderState = z.infer<typeof ProviderState>;

export const operations = {
  listProviders: {
    kind: 'unary',
    tag,
    summary: 'List model providers, and what is missing for those that cannot be used',
    method: 'GET',
    path: '/api/providers',
    access: 'operator',
    query: z.object({ check: z.boolean().optional() }),
    output: z.strictObject({ providers: z.array(ProviderState), defaultModel: z.string().nullable() }),
    status: 200,
    errors: [],
  },
  startRun: {
    kind: 'unary',
    tag,
    summary: 'Run an agent against a model and follow its events',
    method: 'POST',
    path: '/api/runs',
    access: 'operator',
    body: z.strictObject({
      agent: z.string(),
      prompt: UserMessage,
      arguments: z.record(z.string(), z.unknown()).optional(),
      model: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
      outputSchema: z.record(z.string(), z.unknown()).optional(),
      /** A person answers requests for approval, which are questions of the inbox. */
      interactive: z.boolean().optional(),
      /** Below what the config allows. */
      limits: z
        .strictObject({
          maxTurns: z.int().min(1).optional(),
          maxOutputTokens: z.int().min(1).optional(),
          maxSeconds: z.number().positive().optional(),
          tokens: z.int().min(0).optional(),
          usd: z.number().min(0).optional(),
        })
        .optional(),
      temperature: z.number().min(0).max(2).optional(),
      effort: z.enum(['low', 'medium', 'high']).optional(),
      /** A revision of the editor's agent in place of the newest. */
      revision: z.int().min(1).optional(),
      /** Changes that are not saved: the run uses the agent with these. */
      definition: AgentPatch.optional(),
    }),
    output: RunSummary,
    status: 202,
    errors: ['agent_not_found', 'invalid_arguments', 'untrusted', 'no_provider', 'budget_exceeded'],
    maxBody: MAX_INPUT_BYTES,
  },
  listRuns: {
    kind: 'unary',
    tag,
    summary: 'List runs, newest first',
    method: 'GET',
    path: '/api/runs',
    access: 'operator',
    query: z.object({
      agent: z.string().optional(),
      state: RunState.optional(),
      limit: z.int().min(1).max(1_000).optional(),
      offset: z.int().min(0).optional(),
    }),
    output: z.strictObject({ runs: z.array(RunSummary), total: z.int().min(0) }),
    status: 200,
    errors: [],
  },
  getRun: {
    kind: 'unary',
    tag,
    summary: 'Get a run with its receipt and all steps',
    method: 'GET',
    path: '/api/runs/{id}',
    access: 'operator',
    params,
    output: Run,
    status: 200,
    errors: ['run_not_found'],
  },
  followRun: {
    kind: 'stream',
    ends: true,
    tag,
    summary: 'Follow the events of a run until it ends, from the beginning or after a given event',
    method: 'GET',
    path: '/api/runs/{id}/events',
    access: 'operator',
    params,
    query: z.object({ after: z.int().min(0).optional() }),
    output: z.strictObject({ seq: z.int().min(1), event: RunEvent }),
    status: 200,
    errors: ['run_not_found'],
  },
  addRunMessage: {
    kind: 'unary',
    tag,
    summary: 'Send a message to a run under way; it joins the next step',
    method: 'POST',
    path: '/api/runs/{id}/messages',
    access: 'operator',
    params,
    body: z.strictObject({ message: UserMessage }),
    output: z.null(),
    status: 204,
    errors: ['run_not_found', 'conflict'],
    maxBody: MAX_INPUT_BYTES,
  },
  deleteRun: {
    kind: 'unary',
    tag,
    summary: 'Erase a run that has ended, with its steps and events',
    method: 'DELETE',
    path: '/api/runs/{id}',
    access: 'operator',
    params,
    output: z.null(),
    status: 204,
    errors: ['run_not_found', 'conflict'],
  },
  exportRun: {
    kind: 'unary',
    tag,
    summary: 'Export a run as Markdown or JSON',
    method: 'GET',
    path: '/api/runs/{id}/export',
    access: 'operator',
    params,
    query: z.object({ format: z.enum(['markdown', 'json']).optional() }),
    output: z.strictObject({ name: z.string(), mediaType: z.string(), content: z.string() }),
    status: 200,
    errors: ['run_not_found'],
  },
  pauseRuns: {
    kind: 'unary',
    tag,
    summary: 'Pause all runs and spending: no model is asked until runs are resumed',
    method: 'POST',
    path: '/api/pause',
    access: 'operator',
    output: z.strictObject({ paused: z.boolean() }),
    status: 200,
    errors: [],
  },
  unpauseRuns: {
    kind: 'unary',
    tag,
    summary: 'Go on with all runs after a pause',
    method: 'POST',
    path: '/api/unpause',
    access: 'operator',
    output: z.strictObject({ paused: z.boolean() }),
    status: 200,
    errors: [],
  },
  cancelRun: {
    kind: 'unary',
    tag,
    summary: 'Cancel a run; its steps so far are kept',
    method: 'POST',
    path: '/api/runs/{id}/cancel',
    access: 'operator',
    params,
    output: RunSummary,
    status: 200,
    errors: ['run_not_found'],
  },
  resumeRun: {
    kind: 'unary',
    tag,
    summary: 'Resume an interrupted run',
    method: 'POST',
    path: '/api/runs/{id}/resume',
    access: 'operator',
    params,
    output: RunSummary,
    status: 202,
    errors: ['run_not_found', 'conflict', 'no_provider'],
  },
} as const satisfies Record<string, Operation>;
