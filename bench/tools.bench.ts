import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { readOperatorToken } from '../src/platform/home/access.ts';
import {
  compare,
  createCaller,
  freePort,
  report,
  reportAdded,
  startServer,
  stopServer,
  timed,
} from './measure.ts';
import { envelope, initialize, startCaller } from './stdio-caller.ts';

const SERVERS = 50;
const TOOLS = 20;
const ROUNDS = Number(process.env['ROUNDS'] ?? 2000);
const zoo = fileURLToPath(new URL('../zoo.js', import.meta.url));
const proxyFile = fileURLToPath(new URL('./sdk-proxy.bare.js', import.meta.url));
const everything = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);
const echo = { message: 'hello' };

/** Fifty servers of twenty tools each, in one process: what is measured is the hub. */
async function serveMany(): Promise<{ url: string; close(): void }> {
  const tools = Array.from({ length: TOOLS }, (_, n) => ({
    name: `tool-${n}`,
    description: `Does the thing of number ${n}, and says how it went. `.repeat(4),
    inputSchema: {
      type: 'object' as const,
      properties: { path: { type: 'string', description: 'Where' }, deep: { type: 'boolean' } },
      required: ['path'],
    },
  }));
  const handler = createMcpHandler(() => {
    const server = new Server({ name: 'many', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({ tools }));
    server.setRequestHandler('tools/call', () => ({ content: [] }));
    return server;
  });
  const handle = getRequestListener((request) => handler.fetch(request));
  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, close: () => server.closeAllConnections() };
}

/** The official server over HTTP, and a session at it. */
async function startEverything(): Promise<{ url: string; child: ChildProcess; session: string }> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, [everything, 'streamableHttp'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await new Promise<void>((resolve) => {
    child.stderr.on('data', (text) => void (String(text).includes(String(port)) && resolve()));
  });
  const url = `http://127.0.0.1:${port}`;
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: initialize }),
  });
  await response.text();
  return { url, child, session: response.headers.get('mcp-session-id') ?? '' };
}

const modern = (token: string, method: string, params: object, path = '/mcp') => ({
  method: 'POST',
  path,
  headers: {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...('name' in params && typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
    authorization: `Bearer ${token}`,
  },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } }),
});

async function calls(env: NodeJS.ProcessEnv & { ZOO_HOME: string }, work: string): Promise<void> {
  const http = await startEverything();
  const server = `command = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(everything)}]`;
  await writeFile(
    join(work, 'zoo.toml'),
    `[tools.mcp.stdio]\n${server}\n[tools.mcp.http]\nurl = "${http.url}/mcp"\n`,
  );
  const hub = await startServer([zoo, 'serve', '--no-open', '--port', '0', '--trust-all'], env, work);
  const proxy = await startServer([proxyFile, everything, `${http.url}/mcp`], env, work);
  const bridge = startCaller([zoo, 'mcp'], env, work);
  const direct = startCaller([everything], env, work);
  await bridge.call('initialize', initialize);
  await direct.call('initialize', initialize);
  const token = readOperatorToken(env.ZOO_HOME) ?? '';
  const [callHub, callServer] = [createCaller(hub.url), createCaller(http.url)];
  const callProxy = createCaller(proxy.url);
  const straight = {
    method: 'POST',
    path: '/mcp',
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-session-id': http.session,
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'echo', arguments: echo },
    }),
  };
  const through = (server: string) => ({ name: `${server}__echo`, arguments: echo });
  reportAdded(
    'A call of a tool over stdio',
    await compare(ROUNDS, {
      'straight to the server': () => direct.call('tools/call', { name: 'echo', arguments: echo }),
      'a proxy of the SDK alone, over HTTP': () => callProxy(modern('', 'tools/call', through('stdio'))),
      'hub over HTTP, server over stdio': () => callHub(modern(token, 'tools/call', through('stdio'))),
      'zoo mcp, hub, server over stdio': () => bridge.call('tools/call', through('stdio')),
    }),
    'p50 ≤ 1 ms more, and ≤ 0.5× of the direct call',
  );
  reportAdded(
    'A call of a tool over HTTP',
    await compare(ROUNDS, {
      'straight to the server': () => callServer(straight),
      'a proxy of the SDK alone, over HTTP': () => callProxy(modern('', 'tools/call', through('http'))),
      'hub over HTTP, server over HTTP': () => callHub(modern(token, 'tools/call', through('http'))),
      'zoo mcp, hub, server over HTTP': () => bridge.call('tools/call', through('http')),
    }),
    'p50 ≤ 1 ms more, and ≤ 0.5× of the direct call',
  );
  await Promise.all([bridge.close(), direct.close()]);
  await stopServer(hub.child);
  await stopServer(proxy.child);
  await stopServer(http.child);
}

async function lists(env: NodeJS.ProcessEnv & { ZOO_HOME: string }, work: string): Promise<void> {
  const many = await serveMany();
  const servers = Array.from(
    { length: SERVERS },
    (_, n) => `[tools.mcp.server-${n}]\nurl = "${many.url}/${n}/mcp"\n`,
  );
  const agents = ['[agents.few]\ntools = ["server-7.*"]\n', '[agents.all]\ntools = ["*"]\n'];
  await writeFile(
    join(work, 'zoo.toml'),
    `[tools]\nsearch_above = 5000\n${servers.join('')}${agents.join('')}`,
  );
  const start = () => startServer([zoo, 'serve', '--no-open', '--port', '0', '--trust-all'], env, work);
  const count = (text: string): number => text.split('"server-').length - 1;
  const list = (path?: string) => modern(readOperatorToken(env.ZOO_HOME) ?? '', 'tools/list', {}, path);

  console.log(`\ntools/list with ${SERVERS} servers and ${SERVERS * TOOLS} tools`);
  for (const what of ['never seen', 'after a restart']) {
    const hub = await start();
    const call = createCaller(hub.url);
    let text = '';
    const took = await timed(async () => {
      text = await call(list());
    });
    console.log(`  the first one, ${what}:`.padEnd(46), `${took.toFixed(0)} ms, ${count(text)} tools`);
    if (what === 'never seen') {
      await stopServer(hub.child);
      continue;
    }
    const page = await createCaller(hub.url)(list());
    report(
      'tools/list, warm',
      await compare(200, {
        [`all ${count(page)} tools`]: () => call(list()),
        'an agent with all of them': () => call(list('/mcp/all')),
        'an agent with the 20 of one server': () => call(list('/mcp/few')),
      }),
    );
    await stopServer(hub.child);
  }
  many.close();
}

const folder = await mkdtemp(join(tmpdir(), 'zoo-bench-'));
try {
  for (const [name, bench] of Object.entries({ calls, lists })) {
    const work = join(folder, name, 'work');
    await mkdir(work, { recursive: true });
    const home = join(folder, name, 'home');
    await bench({ ...process.env, ZOO_HOME: home, ZOO_CONFIG_DIR: join(folder, name, 'config') }, work);
  }
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
process.exit();
