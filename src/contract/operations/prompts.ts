import * as z from 'zod';
import type { Operation } from '../table/operation.ts';
import { PromptDescriptor, PromptResult } from '../offers/prompt.ts';

const tag = 'prompts';
const unary = { kind: 'unary', tag, access: 'operator' } as const;
const read = { ...unary, method: 'GET', status: 200 } as const;

export const operations = {
  listPrompts: {
    ...read,
    summary: 'List every agent as a prompt, as over MCP',
    path: '/prompts/list',
    output: z.strictObject({ prompts: z.array(PromptDescriptor) }),
    errors: [],
  },
  getPrompt: {
    ...unary,
    summary: 'Resolve an agent into messages, as over MCP; the system prompt comes first',
    method: 'POST',
    path: '/prompts/get',
    body: z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.string()).optional() }),
    output: PromptResult,
    status: 200,
    errors: ['agent_not_found', 'invalid_arguments', 'agent_error', 'timeout', 'untrusted'],
  },
} as const satisfies Record<string, Operation>;
