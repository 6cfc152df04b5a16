import { PassThrough } from 'node:stream';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { CallContext } from '../src/contract/call.ts';
import type { Hub } from '../src/hub/hub.ts';
import { serveConnection } from '../src/surfaces/mcp/connection.ts';

export type Era = 'legacy' | 'modern';

export interface ConnectedClient extends AsyncDisposable {
  client: Client;
}

function createClient(era: Era, options: ClientOptions = {}): Client {
  return new Client(
    { name: 'test', version: '1.0.0' },
    { ...options, versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } },
  );
}

/** A client of the SDK at the other end of two streams. */
export async function connectByStreams(
  hub: Hub,
  context: CallContext,
  era: Era,
  options?: ClientOptions,
): Promise<ConnectedClient> {
  const [up, down] = [new PassThrough(), new PassThrough()];
  const errors: unknown[] = [];
  const log = { error: (message: string, fields: object) => void errors.push([message, fields]) };
  const connection = serveConnection(hub, context, { input: up, output: down }, { log });
  const client = createClient(era, options);
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

/** A client of the SDK over real HTTP. */
export async function connectByHttp(
  url: string,
  token: string,
  era: Era,
  options?: ClientOptions,
): Promise<ConnectedClient> {
  const client = createClient(era, options);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  return { client, [Symbol.asyncDispose]: () => client.close() };
}
