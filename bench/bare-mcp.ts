import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createEcho } from './echo-server.ts';

/** A bare SDK server over HTTP, behind the same HTTP library as the hub. */
export async function serveEcho(file: string): Promise<void> {
  const result = JSON.parse(readFileSync(file, 'utf8'));
  const handler = createMcpHandler(() => createEcho(result));
  const handle = getRequestListener((request) => handler.fetch(request));
  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`);
  });
}
