import * as z from 'zod';
import { ZooError } from '../../contract/errors.ts';
import type { Tool, ToolCall, ToolDescriptor, ToolResult } from '../../contract/tool.ts';
import { toolNotFound } from './catalogue.ts';
import { defineTool, jsonResult } from '../define-tool.ts';
import { searchTools } from './tool-search.ts';

/** What the ways to a tool need of the hub: both stay within the scope of whoever calls. */
export interface ScopedTools {
  list(call: ToolCall): Promise<readonly ToolDescriptor[]>;
  call(name: string, args: Record<string, unknown>, call: ToolCall): Promise<ToolResult>;
}

const FOUND = 10;
const MOST_FOUND = 50;

const FindArguments = z.object({
  query: z.string().optional(),
  limit: z.int().min(1).max(MOST_FOUND).optional(),
  cursor: z.string().optional(),
});
const CallArguments = z.object({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
});

/**
 * What an agent with many tools is served instead of them: a way to find one and a way to call it. They are in no
 * catalogue and no scope, and reach no further than the scope does.
 */
export function createMechanisms(scoped: ScopedTools): readonly Tool[] {
  return [findTools(scoped), callTool(scoped)];
}

/** As they are shown, for those who only look. */
export const MECHANISM_DESCRIPTORS: readonly ToolDescriptor[] = createMechanisms({
  list: async () => [],
  call: async (name) => {
    throw toolNotFound(name, null);
  },
}).map(({ descriptor }) => descriptor);

function findTools({ list }: ScopedTools): Tool {
  return defineTool(
    {
      name: 'find_tools',
      title: 'Find tools',
      description:
        'Finds the tools that you can use, by what they do, what they are called or what they take. Returns their names, descriptions and input schemas, the best first; call one with call_tool. Without a query it lists all of them, page by page.',
      properties: {
        query: { type: 'string', description: "Words, or a tool's name. Leave it out to list everything." },
        limit: { type: 'integer', minimum: 1, maximum: MOST_FOUND, default: FOUND },
        cursor: { type: 'string', description: 'From `nextCursor` of the page before.' },
      },
      required: [],
      answers: {
        tools: { type: 'array', items: { type: 'object' } },
        total: { type: 'integer', description: 'How many there are on all pages.' },
        'nextCursor?': { type: 'string' },
        'hint?': { type: 'string' },
      },
      effect: 'reads',
    },
    FindArguments,
    async ({ query = '', limit = FOUND, cursor }, call) => {
      const tools = await list(call);
      const found = searchTools(tools).find(query);
      const from = parseCursor(cursor);
      const page = found.slice(from, from + limit);
      const next = from + page.length;
      const hint = `Nothing fits '${query}'. Other words may; without a query all ${tools.length} are listed.`;
      return jsonResult({
        tools: page.map(toFound),
        total: found.length,
        ...(next < found.length && page.length > 0 && { nextCursor: String(next) }),
        ...(found.length === 0 && tools.length > 0 && { hint }),
      });
    },
  );
}

function callTool(scoped: ScopedTools): Tool {
  return {
    descriptor: {
      name: 'call_tool',
      displayName: 'call_tool',
      title: 'Call tool',
      description:
        'Calls a tool that find_tools has found, with arguments that fit its input schema, and answers what it answers.',
      origin: 'builtin',
      inputSchema: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'The name of the tool, as find_tools has it.' },
          arguments: { type: 'object', description: 'What its input schema asks for.' },
        },
        required: ['name'],
      },
      // As careful as the most dangerous tool behind it has to be.
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
      meta: { 'anthropic/alwaysLoad': true },
    },
    execute: async (args, call) => {
      const { name, arguments: inner = {} } = CallArguments.parse(args);
      return scoped.call(name, inner, call);
    },
  };
}

function parseCursor(cursor: string | undefined): number {
  const from = cursor === undefined ? 0 : Number(cursor);
  if (Number.isSafeInteger(from) && from >= 0) return from;
  throw new ZooError('invalid_arguments', `cursor: ${JSON.stringify(cursor)} is none of ours`);
}

function toFound({ name, displayName, title, description, inputSchema, annotations }: ToolDescriptor) {
  return {
    name,
    ...(displayName !== name && { displayName }),
    title,
    description,
    inputSchema,
    annotations,
  };
}
