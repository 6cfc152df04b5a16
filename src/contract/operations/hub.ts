import * as z from 'zod';
import { Diagnostic } from '../diagnostic.ts';
import { ZooEvent } from '../event.ts';
import type { Operation } from '../table/operation.ts';
import { Workspace } from '../workspace.ts';

const tag = 'hub';
const unary = { kind: 'unary', tag, access: 'operator' } as const;
const read = { ...unary, method: 'GET', status: 200 } as const;

export const HubStatus = z.strictObject({
  version: z.string(),
  pid: z.int(),
  startedAt: z.string(),
  url: z.string().nullable(),
  home: z.string(),
  workspace: Workspace,
  agents: z.int(),
  /** By `zoo pause`: no model is asked until `zoo resume`. */
  runsPaused: z.boolean(),
  diagnostics: z.strictObject({ errors: z.int(), warnings: z.int(), notes: z.int() }),
});
export type HubStatus = z.infer<typeof HubStatus>;

export const operations = {
  health: {
    ...read,
    summary: 'Check that the hub is running',
    path: '/health',
    access: 'public',
    query: z.strictObject({
      challenge: z
        .string()
        .max(128)
        .optional()
        .describe(
          'A random challenge. The response contains a `proof` that only the hub of `hub.json` can compute.',
        ),
    }),
    output: z.strictObject({ status: z.literal('ok'), version: z.string(), proof: z.string().optional() }),
    errors: [],
  },
  openapi: {
    kind: 'raw',
    tag,
    summary: 'Get this API as OpenAPI 3.1',
    method: 'GET',
    path: '/openapi.json',
    access: 'operator',
    output: z.unknown(),
    status: 200,
    errors: [],
  },
  home: {
    kind: 'raw',
    tag,
    summary: 'The page',
    method: 'GET',
    path: '/',
    access: 'public',
    output: z.unknown(),
    status: 200,
    errors: [],
  },
  status: {
    ...read,
    summary: 'Get the state of the hub and its clients',
    path: '/api/status',
    output: HubStatus,
    errors: [],
  },
  stop: {
    ...unary,
    summary: 'Stop the hub after it has answered pending requests',
    method: 'POST',
    path: '/api/stop',
    output: z.strictObject({ stopping: z.boolean() }),
    status: 202,
    errors: [],
  },
  listDiagnostics: {
    ...read,
    summary: 'List problems in the files that the caller can see, and what is used instead',
    path: '/api/diagnostics',
    output: z.strictObject({ diagnostics: z.array(Diagnostic) }),
    errors: [],
  },
  events: {
    kind: 'stream',
    tag,
    summary: 'Follow all changes; `Last-Event-ID` (or `after`) resumes',
    method: 'GET',
    path: '/api/events',
    access: 'operator',
    query: z.object({ after: z.int().min(0).optional() }),
    output: ZooEvent,
    status: 200,
    errors: ['invalid_arguments'],
  },
} as const satisfies Record<string, Operation>;
