import * as z from 'zod';
import { Diagnostic } from '../diagnostic.ts';
import { ZooEvent } from '../event.ts';
import type { Operation } from '../table/operation.ts';
import { Workspace } from '../workspace.ts';

const tag = 'hub';

export const HubStatus = z.strictObject({
  version: z.string(),
  pid: z.int(),
  startedAt: z.string(),
  url: z.string().nullable(),
  home: z.string(),
  workspace: Workspace,
  agents: z.int(),
  diagnostics: z.strictObject({ errors: z.int(), warnings: z.int(), notes: z.int() }),
});
export type HubStatus = z.infer<typeof HubStatus>;

export const operations = {
  health: {
    kind: 'unary',
    tag,
    summary: 'Whether the hub is up',
    method: 'GET',
    path: '/health',
    access: 'public',
    query: z.strictObject({
      challenge: z
        .string()
        .max(128)
        .optional()
        .describe('A random text. The answer has a `proof` of it that only the hub of `hub.json` can make.'),
    }),
    output: z.strictObject({ status: z.literal('ok'), version: z.string(), proof: z.string().optional() }),
    status: 200,
    errors: [],
  },
  openapi: {
    kind: 'raw',
    tag,
    summary: 'This API as OpenAPI 3.1',
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
    kind: 'unary',
    tag,
    summary: 'What the hub is doing, and for whom',
    method: 'GET',
    path: '/api/status',
    access: 'operator',
    output: HubStatus,
    status: 200,
    errors: [],
  },
  stop: {
    kind: 'unary',
    tag,
    summary: 'End the hub once it has answered what it has accepted',
    method: 'POST',
    path: '/api/stop',
    access: 'operator',
    output: z.strictObject({ stopping: z.boolean() }),
    status: 202,
    errors: [],
  },
  listDiagnostics: {
    kind: 'unary',
    tag,
    summary: 'What is wrong with the files the caller sees, and what is used instead',
    method: 'GET',
    path: '/api/diagnostics',
    access: 'operator',
    output: z.strictObject({ diagnostics: z.array(Diagnostic) }),
    status: 200,
    errors: [],
  },
  events: {
    kind: 'stream',
    tag,
    summary: 'Every change as it happens; `Last-Event-ID` (or `after`) resumes',
    method: 'GET',
    path: '/api/events',
    access: 'operator',
    query: z.object({ after: z.int().min(0).optional() }),
    output: ZooEvent,
    status: 200,
    errors: ['invalid_arguments'],
  },
} as const satisfies Record<string, Operation>;
