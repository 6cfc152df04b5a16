import * as z from 'zod';
import type { Operation } from '../table/operation.ts';
import { ScopeExplanation, ScopePreview, ScopeReport } from '../scope.ts';

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
  previewScope: {
    kind: 'unary',
    tag,
    access: 'operator',
    summary: 'Show which tools a list would grant an agent, and why; saves nothing',
    method: 'POST',
    path: '/api/agents/{id}/scope/preview',
    params,
    body: z.strictObject({ tools: z.array(z.string().min(1)).max(10_000).nullable() }),
    output: ScopePreview,
    status: 200,
    errors: ['agent_not_found', 'invalid_arguments'],
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
