import * as z from 'zod';
import { ZooError } from '../../contract/errors.ts';
import type { Tool, ToolCall, ToolDescriptor, ToolResult } from '../../contract/tool.ts';
import { toolNotFound } from './catalogue.ts';
import { defineTool, jsonResult } from '../define-tool.ts';
import { searchTools } from './tool-search.ts';

/** Functions of the hub that the mechanisms use; both stay within the caller's scope. */
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
 * `find_tools` and `call_tool`, which an agent with many tools gets instead of them. They are in no catalogue and no
 * scope, and reach no further than the scope does.
 */
export function createMechanisms(scoped: ScopedTools): readonly Tool[] {
  return [findTools(scoped), callTool(scoped)];
}

/** Their descriptors, for listings. */
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
        'Finds available tools by name, description or parameters. Returns names, descriptions and input schemas, best match first; call a tool with call_tool. Without a query it lists all tools, page by page.',
      properties: {
        query: { type: 'string', description: "Keywords or a tool's name. Omit to list all tools." },
        limit: { type: 'integer', minimum: 1, maximum: MOST_FOUND, default: FOUND },
        cursor: { type: 'string', description: '`nextCursor` of the previous page.' },
      },
      required: [],
      answers: {
        tools: { type: 'array', items: { type: 'object' } },
        total: { type: 'integer', description: 'Number of tools on all pages.' },
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
      const hint = `No tool matches '${query}'. Try other words, or omit the query to list all ${tools.length} tools.`;
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
        'Calls a tool that find_tools returned, with arguments that match its input schema, and returns its result.',
      origin: 'builtin',
      inputSchema: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'The name of the tool, as returned by find_tools.' },
          arguments: { type: 'object', description: 'Arguments that match its input schema.' },
        },
        required: ['name'],
      },
      // It may call the most dangerous tool in scope.
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
  throw new ZooError('invalid_arguments', `Invalid cursor ${JSON.stringify(cursor)}.`);
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
