import { createServer, type ServerResponse } from 'node:http';
import * as z from 'zod';

const Message = z.object({ id: z.union([z.string(), z.number()]).optional(), method: z.string() });
const RESULTS: Record<string, object> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'instant', version: '1' },
  },
  'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
};

function answer(method: string | undefined, body: string, response: ServerResponse): void {
  if (method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  const { id, method: called } = Message.parse(JSON.parse(body));
  if (id === undefined) {
    response.writeHead(202).end();
    return;
  }
  const text = JSON.stringify({ jsonrpc: '2.0', id, result: RESULTS[called] ?? { content: [] } });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length }).end(text);
}

/** Answers every call at once with nothing: what is left is the time of the client itself. */
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
  request.on('end', () => answer(request.method, body, response));
});
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`);
});
