import * as z from 'zod';
import type { Operation } from '../table/operation.ts';
import { ScopeExplanation, ScopeReport } from '../scope.ts';

const tag = 'tools';
const read = { kind: 'unary', tag, access: 'operator', method: 'GET', status: 200 } as const;
const params = z.object({ id: z.string() });

export const operations = {
  getScope: {
    ...read,
    summary: "List the tools in an agent's scope, with the rule for each and their cost in tokens",
    path: '/api/agents/{id}/scope',
    params,
    output: ScopeReport,
    errors: ['agent_not_found'],
  },
  explainScope: {
    ...read,
    summary: 'Explain why an agent may or may not call a tool: the rule, and where it is written',
    path: '/api/agents/{id}/scope/explain',
    params,
    query: z.object({ tool: z.string() }),
    output: ScopeExplanation,
    errors: ['agent_not_found', 'invalid_arguments'],
  },
} as const satisfies Record<string, Operation>;
