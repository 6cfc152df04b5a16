import { once } from 'node:events';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';

interface Airline extends AsyncDisposable {
  url: string;
  /** Resolves with the first call of its tool. */
  called: Promise<void>;
}

/** An MCP server whose tool `book` never answers. */
export async function startAirline(): Promise<Airline> {
  let tell = (): void => undefined;
  const called = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const mcp = createMcpHandler(() => {
    const server = new Server({ name: 'airline', version: '1.0.0' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({
      tools: [{ name: 'book', inputSchema: { type: 'object', properties: { city: { type: 'string' } } } }],
    }));
    server.setRequestHandler('tools/call', () => {
      tell();
      return new Promise(() => undefined);
    });
    return server;
  });
  const listener = getRequestListener((request) => mcp.fetch(request));
  const server = createServer((request, response) => void listener(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    called,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
