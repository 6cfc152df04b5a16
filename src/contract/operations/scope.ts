import * as z from 'zod';
import type { Operation } from '../table/operation.ts';
import { ScopeExplanation, ScopeReport } from '../scope.ts';

const tag = 'tools';
const params = z.object({ id: z.string() });

export const operations = {
  getScope: {
    kind: 'unary',
    tag,
    summary: 'The tools that an agent may see and call, by which rule, and what they cost in tokens',
    method: 'GET',
    path: '/api/agents/{id}/scope',
    access: 'operator',
    params,
    output: ScopeReport,
    status: 200,
    errors: ['agent_not_found'],
  },
  explainScope: {
    kind: 'unary',
    tag,
    summary: 'Why an agent may call a tool or may not: the rule, and where it is written',
    method: 'GET',
    path: '/api/agents/{id}/scope/explain',
    access: 'operator',
    params,
    query: z.object({ tool: z.string() }),
    output: ScopeExplanation,
    status: 200,
    errors: ['agent_not_found', 'invalid_arguments'],
  },
} as const satisfies Record<string, Operation>;
