import { setMaxListeners } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { ZooError } from '../../contract/errors.ts';
import { messageOf } from '../../platform/text/error-message.ts';
import { rawResponse } from './answer.ts';
import type { HttpApp } from './app.ts';
import { errorReply } from './error-reply.ts';

/** Limits for every connection, with or without a token. */
const LIMITS = {
  headersTimeout: 5_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 1_000,
  /**
   * Longer than the pauses of a busy client: it has a connection for each concurrent call, and reopening them
   * costs both sides more than the calls.
   */
  keepAliveTimeout: 120_000,
};
/** From this number on, connections without a request are closed. */
const MANY_CONNECTIONS = 2_000;
const GRACE_MS = 3000;
const SWEEP_MS = 25;

export interface Listening {
  url: string;
  /** Requests and streams that are open, and when the last one ended (as of `performance.now`). */
  use(): { open: number; lastAt: number };
  /** Accepts no more requests, ends the streams, and waits a few seconds for requests that were accepted. */
  close(): Promise<void>;
}

export async function listen(
  app: HttpApp,
  { host, port }: { host: string; port: number },
): Promise<Listening> {
  const closing = new AbortController();
  // One listener per open stream is expected; raise the limit to avoid Node's leak warning.
  setMaxListeners(0, closing.signal);
  const { server, sockets, use } = createHttpServer(app, closing.signal);
  try {
    await bind(server, host, port);
  } catch (error) {
    app.close();
    throw error;
  }

  let closed: Promise<void> | undefined;
  return {
    url: urlOf(server, host),
    use,
    close() {
      closed ??= new Promise((resolve) => {
        const force = setTimeout(() => server.closeAllConnections(), GRACE_MS);
        const sweep = setInterval(() => closeUnused(server, sockets), SWEEP_MS);
        server.close(() => {
          clearTimeout(force);
          clearInterval(sweep);
          app.close();
          resolve();
        });
        closing.abort();
      });
      return closed;
    },
  };
}

function createHttpServer(app: HttpApp, closing: AbortSignal) {
  const handle = getRequestListener(
    (request, { incoming, outgoing }) => app.fetch(request, { closing, incoming, outgoing }),
    {
      errorHandler: (error) =>
        rawResponse(errorReply(new ZooError('invalid_format', `Invalid request: ${messageOf(error)}`))),
    },
  );
  let open = 0;
  let lastAt = performance.now();
  const server = createServer(LIMITS, (incoming, outgoing) => {
    open += 1;
    outgoing.once('close', () => {
      open -= 1;
      lastAt = performance.now();
    });
    if (!app.direct(incoming, outgoing)) void handle(incoming, outgoing);
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    if (sockets.size > MANY_CONNECTIONS) closeUnused(server, sockets);
  });
  return { server, sockets, use: () => ({ open, lastAt }) };
}

function bind(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Connections that a client keeps for its next request, and those that it opened in advance. */
function closeUnused(server: Server, sockets: ReadonlySet<Socket>): void {
  server.closeIdleConnections();
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
}

/** An address at which this machine reaches the server, whatever it listens on. */
function urlOf(server: Server, host: string): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${address.port}`;
}
