import * as z from 'zod';
import type { Operation } from '../table/operation.ts';

const tag = 'hub';
const unary = { kind: 'unary', tag, access: 'operator' } as const;
const read = { ...unary, method: 'GET', status: 200 } as const;

export const operations = {
  getCurrent: {
    ...read,
    summary: 'Get the current agent of the workspace',
    path: '/api/current',
    output: z.strictObject({ agentId: z.string().nullable() }),
    errors: [],
  },
  setCurrent: {
    ...unary,
    summary: 'Set or clear the current agent of the workspace',
    method: 'PUT',
    once: true,
    path: '/api/current',
    body: z.strictObject({ agentId: z.string().nullable() }),
    output: z.strictObject({ agentId: z.string().nullable() }),
    status: 200,
    errors: ['agent_not_found', 'invalid_arguments'],
  },
} as const satisfies Record<string, Operation>;
