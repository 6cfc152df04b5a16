import * as z from 'zod';
import { Agent, AgentId, AgentInput } from '../agent.ts';
import type { Operation } from '../table/operation.ts';

const tag = 'hub';
const unary = { kind: 'unary', tag, access: 'operator' } as const;
const read = { ...unary, method: 'GET', status: 200 } as const;

export const Template = z.strictObject({ id: AgentId, agent: AgentInput });
export type Template = z.infer<typeof Template>;

export const operations = {
  listTemplates: {
    ...read,
    summary: 'List the agent templates',
    path: '/api/templates',
    output: z.strictObject({ templates: z.array(Template) }),
    errors: [],
  },
  useTemplate: {
    ...unary,
    summary: 'Create an agent from a template',
    method: 'POST',
    once: true,
    path: '/api/templates/{template}',
    params: z.object({ template: z.string() }),
    body: z.strictObject({ id: AgentId.optional(), name: z.string().min(1).optional() }),
    bodyOptional: true,
    output: Agent,
    status: 201,
    errors: ['template_not_found', 'already_exists', 'invalid_arguments'],
  },
} as const satisfies Record<string, Operation>;
