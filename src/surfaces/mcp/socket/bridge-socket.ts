import { chmodSync, rmSync } from 'node:fs';
import { type Server, type Socket, createServer } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import type { CallContext } from '../../../contract/call.ts';
import { ZooError } from '../../../contract/errors.ts';
import type { Hub, Identity } from '../../../hub/hub.ts';
import { ensureSocketFolder } from '../../../platform/home/hub-socket.ts';
import type { Log } from '../../../platform/home/log.ts';
import { type Hello, STOPPING, type Welcome, parseHello } from '../../../platform/bridge/hello.ts';
import { readFirstLine } from '../../../platform/bridge/first-line.ts';

const GRACE_MS = 1000;

export interface SocketOptions {
  home: string;
  path: string;
  version: string;
  untilIdle: boolean;
  log: Log;
  /** Serves one client, by the protocol of its surface, until either side closes the connection. */
  serve(
    context: CallContext,
    streams: { input: Readable; output: Writable },
  ): { closed: Promise<void>; close(): Promise<void> };
}

export interface BridgeSocket {
  /** Bridges that are connected, and when the last one left (as of `performance.now`). */
  use(): { open: number; lastAt: number };
  close(): Promise<void>;
}

interface Client {
  /** The token of an agent or a team member that it came with. */
  tokenId: string | null;
  close(): Promise<void>;
}

/**
 * Where bridges connect. The caller holds the lock of the home, so a socket file that exists was left by a hub that
 * died.
 */
export async function listenForBridges(hub: Hub, options: SocketOptions): Promise<BridgeSocket> {
  const { home, path, log } = options;
  ensureSocketFolder(home, path);
  if (process.platform !== 'win32') rmSync(path, { force: true });
  let lastAt = performance.now();
  const clients = new Map<Socket, Client | null>();
  const server = createServer((socket) => {
    clients.set(socket, null);
    socket.once('close', () => {
      clients.delete(socket);
      lastAt = performance.now();
    });
    // A bridge may exit at any time; only its own connection ends.
    socket.on('error', (error) => log.debug('bridge connection failed', { error: error.message }));
    void welcome(hub, options, socket, (client) => clients.set(socket, client)).catch((error: unknown) => {
      log.error('bridge connection could not be served', { error });
      socket.destroy();
    });
  });
  await listen(server, path);
  server.on('error', (error) => log.error('the socket for bridges failed', { error }));
  const stopWatching = hub.onTokenRevoked((tokenId) => {
    for (const [socket, client] of clients) if (client?.tokenId === tokenId) socket.destroy();
  });
  return {
    use: () => ({ open: clients.size, lastAt }),
    async close() {
      stopWatching();
      const closed = new Promise((resolve) => server.close(resolve));
      const force = setTimeout(() => {
        for (const socket of clients.keys()) socket.destroy();
      }, GRACE_MS);
      await Promise.all([...clients].map(([socket, client]) => sayGoodbye(socket, client)));
      await closed;
      clearTimeout(force);
    },
  };
}

/** The path is bound within the call, so nobody can connect before it is private. */
function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const windows = process.platform === 'win32';
    const before = windows ? 0 : process.umask(0o177);
    try {
      server.listen(path, () => {
        server.off('error', reject);
        if (!windows) chmodSync(path, 0o600);
        resolve();
      });
    } finally {
      if (!windows) process.umask(before);
    }
  });
}

async function sayGoodbye(socket: Socket, client: Client | null): Promise<void> {
  if (client) {
    socket.write(`{"jsonrpc":"2.0","method":"${STOPPING}"}\n`);
    await client.close().catch(() => undefined);
  }
  socket.end();
  // Unread messages would otherwise keep the connection open.
  socket.resume();
}

async function welcome(
  hub: Hub,
  options: SocketOptions,
  socket: Socket,
  onServed: (client: Client) => void,
): Promise<void> {
  const { log, version, untilIdle } = options;
  const line = await readFirstLine(socket);
  if (line === null) return void socket.destroy();
  const answer = (word: Welcome): boolean => socket.write(`${JSON.stringify(word)}\n`);
  const gone = new AbortController();
  socket.once('close', () => gone.abort());
  let hello: Hello | null;
  let context: CallContext;
  try {
    hello = parseHello(line);
    if (!hello) throw new ZooError('invalid_format', 'Expected a handshake message first.');
    context = await identify(hub, hello, gone.signal);
  } catch (error) {
    if (!(error instanceof ZooError)) log.error('bridge handshake failed', { error });
    answer({ error: describe(error) });
    return void socket.end();
  }
  answer({ ok: true, version, pid: process.pid, untilIdle });
  if (hello.stop) {
    log.info('a newer version replaces this hub', { version: hello.version });
    await hub.operations.stop({}, context);
    return void socket.end();
  }
  log.info('bridge connected', { client: hello.pid, workspace: context.workspace, agent: context.agent });
  const connection = options.serve(context, { input: socket, output: socket });
  const { caller } = context;
  const tokenId = caller.kind === 'agent' || caller.kind === 'member' ? caller.tokenId : null;
  onServed({ tokenId, close: () => connection.close() });
  await connection.closed;
  socket.end();
}

async function identify(hub: Hub, hello: Hello, signal: AbortSignal): Promise<CallContext> {
  const identity = await hub.authenticate({ token: hello.token });
  if (!identity) throw new ZooError('unauthorized', 'The token is invalid or was revoked.');
  const { caller } = identity;
  if (caller.kind === 'member' && (hello.stop || hello.agent !== undefined || hello.protocol === 'acp')) {
    throw new ZooError('out_of_scope', 'The token belongs to a team member, which has the team tools only.');
  }
  if (caller.kind === 'agent' && (hello.stop || (hello.agent ?? caller.agentId) !== caller.agentId)) {
    throw new ZooError('out_of_scope', `The token is bound to the agent ${caller.agentId}.`);
  }
  const context: CallContext = {
    caller,
    workspace: identity.workspace ?? (await hub.workspaceFor(hello.workspace)),
    agent: agentOf(identity, hello),
    surface: hello.protocol ?? 'mcp',
    depth: 0,
    budget: {},
    signal,
  };
  if (context.agent !== null && caller.kind !== 'member')
    await hub.operations.getAgent({ id: context.agent }, context);
  return context;
}

function agentOf({ caller, agent = null }: Identity, hello: Hello): string | null {
  if (caller.kind === 'agent') return caller.agentId;
  return caller.kind === 'member' ? agent : (hello.agent ?? null);
}

function describe(error: unknown): { code: string; message: string } {
  if (error instanceof ZooError) return { code: error.code, message: error.message };
  return { code: 'internal', message: 'Internal error. See the log: `zoo logs`' };
}
