import * as z from 'zod';
import type { Operation } from '../table/operation.ts';
import { ScriptTrace } from '../resolved.ts';
import { ToolDescriptor } from '../tool.ts';

const tag = 'tools';
const unary = { kind: 'unary', tag, access: 'operator' } as const;
const read = { ...unary, method: 'GET', status: 200 } as const;

const CALL_ERRORS = [
  'tool_not_found',
  'agent_not_found',
  'out_of_scope',
  'invalid_arguments',
  'tool_error',
  'timeout',
  'untrusted',
] as const;

export const operations = {
  listTools: {
    ...read,
    summary: "List all tools, or those in an agent's scope",
    path: '/tools/list',
    access: 'agent',
    query: z.object({ agent: z.string().optional(), tokens: z.boolean().optional() }),
    output: z.strictObject({ tools: z.array(ToolDescriptor) }),
    errors: ['agent_not_found', 'out_of_scope'],
  },
  callTool: {
    ...unary,
    summary: 'Call a tool; the body is its arguments',
    method: 'POST',
    path: '/tools/{name}',
    access: 'agent',
    params: z.object({ name: z.string() }),
    query: z.object({
      agent: z.string().optional(),
      /** Puts the tool's questions to a person into the inbox, with this id of the asker; for the operator. */
      askAs: z.string().min(1).max(100).optional(),
    }),
    body: z.record(z.string(), z.unknown()),
    bodyOptional: true,
    /** The tool's JSON value, or its content blocks if it has none. */
    output: z.unknown(),
    envelope: 'result',
    status: 200,
    errors: CALL_ERRORS,
  },
  testTool: {
    ...unary,
    summary:
      'Call a tool and return its log with the result; if it fails, the log is in the details of the error',
    method: 'POST',
    path: '/api/tools/{name}/test',
    params: z.object({ name: z.string() }),
    query: z.object({ agent: z.string().optional() }),
    body: z.record(z.string(), z.unknown()),
    bodyOptional: true,
    output: z.strictObject({
      value: z.unknown(),
      logs: ScriptTrace.shape.logs,
      tookMs: z.number().min(0),
    }),
    status: 200,
    errors: CALL_ERRORS,
  },
} as const satisfies Record<string, Operation>;
