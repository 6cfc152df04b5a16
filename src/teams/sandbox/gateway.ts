import { chmodSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { dirname } from 'node:path';
import type { Duplex } from 'node:stream';

/** Network access for processes without a network: an HTTP proxy on a socket that only connects to named hosts. */
export interface Gateway {
  readonly path: string;
  close(): Promise<void>;
}

/** `allows` takes a host and a port, in lower case. */
export async function openGateway(
  path: string,
  allows: (host: string, port: number) => boolean,
): Promise<Gateway> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await rm(path, { force: true });
  const open = new Set<Duplex>();
  const server = createServer((asked, answer) => forward(asked, answer, allows));
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.on('connect', (asked: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => undefined);
    const { hostname, port } = parseTarget(`http://${asked.url ?? ''}`);
    if (!allows(hostname, port)) {
      client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const target: Socket = connect(port, hostname, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      target.write(head);
      client.pipe(target).pipe(client);
    });
    target.on('error', () => client.destroy());
    client.once('close', () => target.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  chmodSync(path, 0o600);
  return {
    path,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
      await rm(path, { force: true });
    },
  };
}

/** Requests to addresses without TLS name their whole URL. */
function forward(
  asked: IncomingMessage,
  answer: ServerResponse,
  allows: (host: string, port: number) => boolean,
): void {
  const { hostname, port } = parseTarget(asked.url ?? '');
  if (!allows(hostname, port)) {
    answer.writeHead(403).end();
    return;
  }
  const onward = request(asked.url ?? '', { method: asked.method, headers: asked.headers }, (reply) => {
    answer.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(answer);
  });
  onward.on('error', () => answer.destroy());
  answer.once('close', () => onward.destroy());
  asked.pipe(onward);
}

function parseTarget(text: string): { hostname: string; port: number } {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'http:') return { hostname: '', port: 0 };
  return { hostname: url.hostname.toLowerCase(), port: Number(url.port || 80) };
}
