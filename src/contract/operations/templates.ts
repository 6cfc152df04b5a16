import * as z from 'zod';
import { Agent, AgentId, AgentInput } from '../agent.ts';
import type { Operation } from '../table/operation.ts';

const tag = 'hub';

export const Template = z.strictObject({ id: AgentId, agent: AgentInput });
export type Template = z.infer<typeof Template>;

export const operations = {
  listTemplates: {
    kind: 'unary',
    tag,
    summary: 'List the agent templates',
    method: 'GET',
    path: '/api/templates',
    access: 'operator',
    output: z.strictObject({ templates: z.array(Template) }),
    status: 200,
    errors: [],
  },
  useTemplate: {
    kind: 'unary',
    tag,
    summary: 'Create an agent from a template',
    method: 'POST',
    once: true,
    path: '/api/templates/{template}',
    access: 'operator',
    params: z.object({ template: z.string() }),
    body: z.strictObject({ id: AgentId.optional(), name: z.string().min(1).optional() }),
    bodyOptional: true,
    output: Agent,
    status: 201,
    errors: ['template_not_found', 'already_exists', 'invalid_arguments'],
  },
} as const satisfies Record<string, Operation>;
