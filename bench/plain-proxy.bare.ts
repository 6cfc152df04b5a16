import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import * as z from 'zod';

/**
 * Streamable HTTP in front of one stdio server, as little as works: ids are replaced, everything else is passed on.
 * No token, no scope, no log, no cancellation. What a hub on Node.js costs at least.
 */
const [program = ''] = process.argv.slice(2);
const Message = z.looseObject({ id: z.union([z.string(), z.number()]).optional() });
const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
const waiting = new Map<unknown, { id: string | number; response: ServerResponse }>();
let next = 0;

createInterface({ input: child.stdout }).on('line', (line) => {
  const message = Message.parse(JSON.parse(line));
  const asked = waiting.get(message.id);
  if (!asked) return;
  waiting.delete(message.id);
  const text = JSON.stringify({ ...message, id: asked.id });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  asked.response.writeHead(200, headers).end(text);
});

function passOn(body: string, response: ServerResponse): void {
  const message = Message.parse(JSON.parse(body));
  if (message.id === undefined) {
    child.stdin.write(`${body}\n`);
    response.writeHead(202).end();
    return;
  }
  next += 1;
  waiting.set(next, { id: message.id, response });
  child.stdin.write(`${JSON.stringify({ ...message, id: next })}\n`);
}

const server = createServer((request: IncomingMessage, response: ServerResponse) => {
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  let body = '';
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
  request.on('end', () => passOn(body, response));
});
server.keepAliveTimeout = 120_000;
process.on('SIGTERM', () => {
  child.kill();
  process.exit();
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`);
});
