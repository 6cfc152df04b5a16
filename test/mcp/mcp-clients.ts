import { PassThrough } from 'node:stream';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
import { serveConnection } from '../../src/surfaces/mcp/socket/connection.ts';
import { overBridge } from '../bridge/over-bridge.ts';
import { type RunningHub, type StartOptions, startHub } from '../start-hub.ts';

export interface Way {
  transport: 'http' | 'streams' | 'bridge';
  era: 'legacy' | 'modern';
}

/** Every way a client can come. */
export const WAYS: readonly Way[] = [
  { transport: 'http', era: 'legacy' },
  { transport: 'http', era: 'modern' },
  { transport: 'streams', era: 'legacy' },
  { transport: 'streams', era: 'modern' },
  { transport: 'bridge', era: 'legacy' },
  { transport: 'bridge', era: 'modern' },
];

export interface ConnectOptions {
  agent?: string;
  token?: string;
  workspace?: string;
  client?: ClientOptions;
  /** Before the client connects: handlers for what it may be asked. */
  prepare?: (client: Client) => void;
}

export interface Connected extends AsyncDisposable {
  client: Client;
}

/** A client of the SDK, connected to a hub. */
export async function connect(
  started: RunningHub,
  { transport, era }: Way,
  options: ConnectOptions = {},
): Promise<Connected> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      ...options.client,
      versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
    },
  );
  options.prepare?.(client);
  const over = { http: overHttp, streams: overStreams, bridge: overBridge }[transport];
  return over(started, client, options);
}

async function overHttp(started: RunningHub, client: Client, options: ConnectOptions): Promise<Connected> {
  const url = new URL(`/mcp${options.agent === undefined ? '' : `/${options.agent}`}`, started.url);
  if (options.workspace !== undefined) url.searchParams.set('workspace', options.workspace);
  const headers = { authorization: `Bearer ${options.token ?? started.token}` };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return { client, [Symbol.asyncDispose]: () => client.close() };
}

async function overStreams(started: RunningHub, client: Client, options: ConnectOptions): Promise<Connected> {
  const { hub } = started;
  const [up, down] = [new PassThrough(), new PassThrough()];
  const errors: unknown[] = [];
  const log = { error: (message: string, fields: object) => void errors.push([message, fields]) };
  const context = {
    ...hub.localContext(await hub.workspaceFor(options.workspace)),
    agent: options.agent ?? null,
  };
  const connection = serveConnection(hub, context, { input: up, output: down }, { log });
  // It reads lines from one stream and writes lines to another, which is all that a client's end does.
  await client.connect(new StdioServerTransport(down, up));
  return {
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      up.end();
      await connection.closed;
      if (errors.length > 0) throw new Error(`the connection logged errors: ${JSON.stringify(errors)}`);
    },
  };
}

export interface Stage extends AsyncDisposable {
  hub: RunningHub;
  client: Client;
}

/** A hub on these files, and one client of it. */
export async function stage(
  way: Way,
  files: Record<string, string> = {},
  options: StartOptions & ConnectOptions = {},
): Promise<Stage> {
  const hub = await startHub(files, options);
  const connected = await connect(hub, way, options).catch(async (error: unknown) => {
    await hub[Symbol.asyncDispose]();
    throw error;
  });
  return {
    hub,
    client: connected.client,
    async [Symbol.asyncDispose]() {
      try {
        await connected[Symbol.asyncDispose]();
      } finally {
        await hub[Symbol.asyncDispose]();
      }
    },
  };
}

const Texts = z.looseObject({
  isError: z.boolean().optional(),
  structuredContent: z.unknown().optional(),
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
});

export interface Called {
  isError: boolean;
  text: string;
  structured: unknown;
}

/** Calls a tool; the text of its answer, and what is structured in it. */
export async function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Called> {
  const result = Texts.parse(await client.callTool({ name, arguments: args }));
  const text = result.content.map((block) => block.text ?? '').join('');
  return { isError: result.isError ?? false, text, structured: result.structuredContent };
}

/** The JSON of an error, as seed 000 prints it. */
export async function failure(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<unknown> {
  const { isError, text } = await call(client, name, args);
  if (!isError) throw new Error(`${name} did not fail: ${text}`);
  return JSON.parse(text);
}
