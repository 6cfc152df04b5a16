import { createServer } from 'node:http';
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

/** Answers every call at once with nothing: what is left is the time of the client itself. */
const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
  if (request.method !== 'POST') return response.writeHead(405).end();
  const { id, method } = Message.parse(JSON.parse(body));
  if (id === undefined) return response.writeHead(202).end();
  const answer = JSON.stringify({ jsonrpc: '2.0', id, result: RESULTS[method] ?? { content: [] } });
  response
    .writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length })
    .end(answer);
});
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`);
});
