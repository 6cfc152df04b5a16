import { randomBytes } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ZooError } from '../../../contract/errors.ts';
import { VERSION } from '../../../platform/home/version.ts';
import { describeError } from '../diagnosis.ts';
import type { Logins } from './logins.ts';
import { serverFetch } from '../connection/server-fetch.ts';
import type { Launch } from '../upstream.ts';
import { messageOf } from '../../../platform/text/error-message.ts';

const PATH = '/callback';
const WAIT_MS = 600_000;

/** A sign-in in progress. */
export interface SignIn {
  /** To be opened in a browser; null if the server needs no sign-in. */
  url: string | null;
  /** Rejects if the sign-in fails. */
  done: Promise<void>;
  close(): void;
}

/** Starts a sign-in at the server, and waits on a loopback address for the browser to return. */
export async function signIn(launch: Extract<Launch, { kind: 'http' }>, logins: Logins): Promise<SignIn> {
  const server = await listen();
  const state = randomBytes(24).toString('base64url');
  let sent: URL | null = null;
  const provider = logins.visitor(launch.url, {
    redirect: `http://127.0.0.1:${portOf(server)}${PATH}`,
    state,
    send(url) {
      sent = url;
    },
  });
  const transport = new StreamableHTTPClientTransport(new URL(launch.url), {
    requestInit: { headers: { ...launch.headers } },
    authProvider: provider,
    fetch: serverFetch,
  });
  const client = new Client(
    { name: 'agent-zoo', version: VERSION },
    { versionNegotiation: { mode: 'auto' } },
  );
  try {
    await client.connect(transport);
    await client.close();
    server.close();
    return { url: null, done: Promise.resolve(), close: () => undefined };
  } catch (error) {
    await client.close().catch(() => undefined);
    const url: URL | null = sent;
    if (url === null || !isUnauthorized(error)) {
      server.close();
      throw new ZooError('tool_error', describeError(error, launch));
    }
    const done = awaitReturn(server, state, async (params) => {
      await transport.finishAuth(params);
    });
    done.catch(() => undefined);
    return { url: safeUrl(url), done, close: () => void server.close() };
  }
}

function isUnauthorized(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'UnauthorizedError') return true;
  }
  return false;
}

/** The user's browser opens it, so only web pages are allowed. */
function safeUrl(url: URL): string {
  if (url.protocol === 'https:' || url.protocol === 'http:') return url.href;
  throw new ZooError('tool_error', 'The server sent an invalid sign-in URL.');
}

async function listen(): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function awaitReturn(
  server: Server,
  state: string,
  finish: (params: URLSearchParams) => Promise<void>,
): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const end = (error: Error | null): void => {
      clearTimeout(timer);
      if (server.listening) server.close();
      if (error) reject(error);
      else resolve();
    };
    const timer = setTimeout(
      () => end(new ZooError('timeout', 'Sign-in timed out after 10 minutes.')),
      WAIT_MS,
    ).unref();
    server.once('close', () => end(new ZooError('tool_error', 'Sign-in was cancelled.')));
    server.on('request', (request, response) => {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1');
      // Any web page can send a browser here; only ours knows the state.
      if (request.method !== 'GET' || url.pathname !== PATH || url.searchParams.get('state') !== state) {
        return answer(response, 404, 'Not found.');
      }
      void finish(url.searchParams).then(
        () => {
          answer(response, 200, 'You are signed in. You can close this window.');
          return end(null);
        },
        (error: unknown) => {
          answer(response, 400, 'Sign-in failed. See the terminal for the reason.');
          const why = messageOf(error);
          return end(new ZooError('unauthorized', `Sign-in failed: ${why}`));
        },
      );
    });
  });
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end(`${text}\n`);
}
