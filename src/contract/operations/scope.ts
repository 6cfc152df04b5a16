import * as z from 'zod';
import type { Operation } from '../table/operation.ts';
import { ScopeExplanation, ScopeReport } from '../scope.ts';

const tag = 'tools';
const params = z.object({ id: z.string() });

export const operations = {
  getScope: {
    kind: 'unary',
    tag,
    summary: "List the tools in an agent's scope, with the rule for each and their cost in tokens",
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
    summary: 'Explain why an agent may or may not call a tool: the rule, and where it is written',
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
