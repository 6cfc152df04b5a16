import * as fc from 'fast-check';
import * as z from 'zod';
import { brokenJson } from './broken-json.ts';
import { fromSchema, trouble } from './from-schema.ts';
import type { FuzzRequest, Tool } from './http-requests.ts';

export type Era = 'legacy' | 'modern';

const text = { type: 'string' };
/** The parameters of each method, nearly as the protocol has them. `subscriptions/listen` has no answer to wait for. */
const METHODS: Record<string, unknown> = {
  ping: {},
  initialize: {
    type: 'object',
    properties: {
      protocolVersion: { enum: ['2025-11-25', '2024-11-05', 'x'] },
      capabilities: {},
      clientInfo: {},
    },
  },
  'server/discover': {},
  'tools/list': { type: 'object', properties: { cursor: text } },
  'prompts/list': { type: 'object', properties: { cursor: text } },
  'prompts/get': {
    type: 'object',
    properties: { name: text, arguments: { type: 'object' } },
    required: ['name'],
  },
  'resources/list': { type: 'object', properties: { cursor: text } },
  'resources/templates/list': {},
  'resources/read': { type: 'object', properties: { uri: text }, required: ['uri'] },
  'resources/subscribe': { type: 'object', properties: { uri: text }, required: ['uri'] },
  'resources/unsubscribe': { type: 'object', properties: { uri: text }, required: ['uri'] },
  'logging/setLevel': { type: 'object', properties: { level: { enum: ['debug', 'error', 'x'] } } },
  'completion/complete': {
    type: 'object',
    properties: {
      ref: {
        type: 'object',
        properties: { type: { enum: ['ref/prompt', 'ref/resource'] }, name: text, uri: text },
      },
      argument: { type: 'object', properties: { name: text, value: text } },
    },
  },
  'no/such': {},
};

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export interface FuzzMessage {
  method: string;
  name: string | undefined;
  line: string;
}

/** JSON-RPC messages, whole or damaged. `ID` stands for the id, which is filled in when they are sent. */
export function mcpMessages(era: Era, tools: readonly Tool[]): fc.Arbitrary<FuzzMessage> {
  const calls = tools.map(({ name, inputSchema }) =>
    messageOf(
      era,
      'tools/call',
      name,
      fc.record({ name: fc.constant(name), arguments: fromSchema(inputSchema, inputSchema) }),
    ),
  );
  const others = Object.entries(METHODS).map(([method, schema]) =>
    messageOf(
      era,
      method,
      undefined,
      fc.oneof({ weight: 5, arbitrary: fromSchema(schema, schema) }, trouble),
    ),
  );
  return fc.oneof(fc.oneof(...calls), fc.oneof(...others));
}

function messageOf(era: Era, method: string, name: string | undefined, params: fc.Arbitrary<unknown>) {
  const message = params.map((each) => ({
    jsonrpc: '2.0',
    id: ID,
    method,
    params: era === 'modern' && typeof each === 'object' && each !== null ? { ...each, _meta: META } : each,
  }));
  // A line break would be the end of the message.
  return brokenJson(message).map((line) => ({ method, name, line: line.replaceAll(/[\r\n]/g, ' ') }));
}

const ID = 'fuzz-id';

export const withId = ({ line }: FuzzMessage, id: string): string => line.replaceAll(`"${ID}"`, `"${id}"`);

const Request = z.looseObject({
  id: z.string(),
  result: z.undefined().optional(),
  error: z.undefined().optional(),
});

/** Whether the hub has to answer under this id, be it with an error. */
export function needsAnswer(line: string, id: string): boolean {
  try {
    return Request.safeParse(JSON.parse(line)).data?.id === id;
  } catch {
    return false;
  }
}

/** The same over HTTP. */
export function mcpRequest(era: Era, session: string, message: FuzzMessage, line: string): FuzzRequest {
  const modern = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': message.method,
    ...(message.name !== undefined && { 'mcp-name': message.name }),
  };
  return {
    method: 'POST',
    path: message.line.length % 5 === 0 ? '/mcp/helper' : '/mcp',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(era === 'modern' ? modern : { 'mcp-protocol-version': '2025-11-25', 'mcp-session-id': session }),
    },
    body: line,
  };
}
