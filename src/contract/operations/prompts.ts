import * as z from 'zod';
import type { Operation } from '../table/operation.ts';
import { PromptDescriptor, PromptResult } from '../offers/prompt.ts';

const tag = 'prompts';

export const operations = {
  listPrompts: {
    kind: 'unary',
    tag,
    summary: 'List every agent as a prompt, as over MCP',
    method: 'GET',
    path: '/prompts/list',
    access: 'operator',
    output: z.strictObject({ prompts: z.array(PromptDescriptor) }),
    status: 200,
    errors: [],
  },
  getPrompt: {
    kind: 'unary',
    tag,
    summary: 'Resolve an agent into messages, as over MCP; the system prompt comes first',
    method: 'POST',
    path: '/prompts/get',
    access: 'operator',
    body: z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.string()).optional() }),
    output: PromptResult,
    status: 200,
    errors: ['agent_not_found', 'invalid_arguments', 'agent_error', 'timeout', 'untrusted'],
  },
} as const satisfies Record<string, Operation>;
