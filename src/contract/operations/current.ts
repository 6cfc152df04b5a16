import * as z from 'zod';
import type { Operation } from '../table/operation.ts';

const tag = 'hub';

export const operations = {
  getCurrent: {
    kind: 'unary',
    tag,
    summary: 'Get the current agent of the workspace',
    method: 'GET',
    path: '/api/current',
    access: 'operator',
    output: z.strictObject({ agentId: z.string().nullable() }),
    status: 200,
    errors: [],
  },
  setCurrent: {
    kind: 'unary',
    tag,
    summary: 'Set or clear the current agent of the workspace',
    method: 'PUT',
    once: true,
    path: '/api/current',
    access: 'operator',
    body: z.strictObject({ agentId: z.string().nullable() }),
    output: z.strictObject({ agentId: z.string().nullable() }),
    status: 200,
    errors: ['agent_not_found', 'invalid_arguments'],
  },
} as const satisfies Record<string, Operation>;
