import * as z from 'zod';
import { AgentPatch } from '../agent.ts';
import { UserMessage } from '../chat.ts';
import { Run, RunEvent, RunHistory, RunState, RunSummary } from '../run.ts';
import type { Operation } from '../table/operation.ts';

const tag = 'runs';
const unary = { kind: 'unary', tag, access: 'operator' } as const;
const read = { ...unary, method: 'GET', status: 200 } as const;
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

const Limit = z.strictObject({ tokens: z.number().optional(), usd: z.number().optional() });

/** What agents spent today, and what they may spend. */
export const SpendingToday = z.strictObject({
  /** `2026-11-15`, where the hub is. */
  day: z.string(),
  agents: z.array(z.strictObject({ agentId: z.string(), tokens: z.number(), usd: z.number() })),
  limits: z.strictObject({ run: Limit, agentDay: Limit, hubDay: Limit }),
});
export type SpendingToday = z.infer<typeof SpendingToday>;

export const operations = {
  listProviders: {
    ...read,
    summary: 'List model providers, and what is missing for those that cannot be used',
    path: '/api/providers',
    query: z.object({ check: z.boolean().optional() }),
    output: z.strictObject({ providers: z.array(ProviderState), defaultModel: z.string().nullable() }),
    errors: [],
  },
  listModels: {
    ...read,
    summary: 'List the models of all providers that answer, and why others cannot be used',
    path: '/api/models',
    output: z.strictObject({
      /** As `PROVIDER/MODEL`. */
      models: z.array(z.string()),
      unavailable: z.array(z.strictObject({ provider: z.string(), problem: z.string() })),
      defaultModel: z.string().nullable(),
    }),
    errors: [],
  },
  getSpending: {
    ...read,
    summary: 'Get what agents spent today, and the limits per run, agent and day',
    path: '/api/spending',
    output: SpendingToday,
    errors: [],
  },
  startRun: {
    ...unary,
    summary: 'Run an agent against a model and follow its events',
    method: 'POST',
    path: '/api/runs',
    body: z.strictObject({
      agent: z.string(),
      prompt: UserMessage,
      arguments: z.record(z.string(), z.unknown()).optional(),
      model: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
      outputSchema: z.record(z.string(), z.unknown()).optional(),
      /** A person answers requests for approval, which appear in the inbox. */
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
    ...read,
    summary: 'List runs, newest first',
    path: '/api/runs',
    query: z.object({
      agent: z.string().optional(),
      state: RunState.optional(),
      chat: z.string().optional(),
      surface: z.string().optional(),
      /** Changed at this time or later. */
      since: z.string().optional(),
      limit: z.int().min(1).max(1_000).optional(),
      offset: z.int().min(0).optional(),
    }),
    output: z.strictObject({ runs: z.array(RunSummary), total: z.int().min(0) }),
    errors: [],
  },
  getRun: {
    ...read,
    summary: 'Get a run with its receipt and all steps',
    path: '/api/runs/{id}',
    params,
    output: Run,
    errors: ['run_not_found'],
  },
  getRunHistory: {
    ...read,
    summary: 'Get the messages that a run sent before its input, such as earlier turns of its chat',
    path: '/api/runs/{id}/history',
    params,
    output: RunHistory,
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
    ...unary,
    summary: 'Send a message to a run under way; it joins the next step',
    method: 'POST',
    path: '/api/runs/{id}/messages',
    params,
    body: z.strictObject({ message: UserMessage }),
    output: z.null(),
    status: 204,
    errors: ['run_not_found', 'conflict'],
    maxBody: MAX_INPUT_BYTES,
  },
  deleteRun: {
    ...unary,
    summary: 'Erase a run that has ended, with its steps and events',
    method: 'DELETE',
    path: '/api/runs/{id}',
    params,
    output: z.null(),
    status: 204,
    errors: ['run_not_found', 'conflict'],
  },
  exportRun: {
    ...read,
    summary: 'Export a run as Markdown or JSON',
    path: '/api/runs/{id}/export',
    params,
    query: z.object({ format: z.enum(['markdown', 'json']).optional() }),
    output: z.strictObject({ name: z.string(), mediaType: z.string(), content: z.string() }),
    errors: ['run_not_found'],
  },
  pauseRuns: {
    ...unary,
    summary: 'Pause all runs and spending: no model is called until runs are resumed',
    method: 'POST',
    path: '/api/pause',
    output: z.strictObject({ paused: z.boolean() }),
    status: 200,
    errors: [],
  },
  unpauseRuns: {
    ...unary,
    summary: 'Resume all runs after a pause',
    method: 'POST',
    path: '/api/unpause',
    output: z.strictObject({ paused: z.boolean() }),
    status: 200,
    errors: [],
  },
  cancelRun: {
    ...unary,
    summary: 'Cancel a run; its steps so far are kept',
    method: 'POST',
    path: '/api/runs/{id}/cancel',
    params,
    output: RunSummary,
    status: 200,
    errors: ['run_not_found'],
  },
  resumeRun: {
    ...unary,
    summary: 'Resume an interrupted run',
    method: 'POST',
    path: '/api/runs/{id}/resume',
    params,
    output: RunSummary,
    status: 202,
    errors: ['run_not_found', 'conflict', 'no_provider'],
  },
} as const satisfies Record<string, Operation>;
