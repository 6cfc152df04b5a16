import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as z from 'zod';
import { readOperatorToken } from '../src/platform/home/access.ts';
import { processorMs } from './processor-time.ts';
import { compare, freePort, median, report, startServer, stopServer, timed } from './measure.ts';

/** Other programs that put stdio servers on HTTP, each with the same server behind it and the same client in front. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 1000);
const BATCHES = Number(process.env['BATCHES'] ?? 7);
const IN_FLIGHT = 300;
const zoo = fileURLToPath(new URL('../zoo.js', import.meta.url));
const echo = fileURLToPath(new URL('./echo-stdio.bare.js', import.meta.url));
const instant = fileURLToPath(new URL('./instant-mcp.bare.js', import.meta.url));
const plain = fileURLToPath(new URL('./plain-proxy.bare.js', import.meta.url));
const peers = z.record(z.string(), z.array(z.string())).parse(JSON.parse(process.env['ZOO_PEERS'] ?? '{}'));
const node = process.execPath;

type Mode = 'legacy' | 'auto';
interface Contestant {
  client: Client;
  tool: string;
  /** The process between the client and the server. */
  pid: number | undefined;
  close(): Promise<void>;
}

async function connect(
  open: () => Transport,
  tool: string,
  mode: Mode = 'legacy',
  between?: ChildProcess,
  owns = true,
): Promise<Contestant> {
  for (let attempt = 0; ; attempt += 1) {
    const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode } });
    try {
      await client.connect(open());
      const { tools } = await client.listTools();
      const found = tools.find(({ name }) => name.endsWith(tool));
      if (!found) throw new Error(`no tool ${tool}, only ${tools.map(({ name }) => name).join(', ')}`);
      const close = async (): Promise<void> => {
        await client.close();
        if (between && owns) await stopServer(between);
      };
      return { client, tool: found.name, pid: between?.pid, close };
    } catch (error) {
      await client.close().catch(() => undefined);
      if (attempt > 60) throw error;
      await sleep(250);
    }
  }
}

/** Starts a peer on a free port. Their logs go nowhere: writing them would be measured. */
async function startPeer(name: string, args: (port: number) => string[]): Promise<[string, ChildProcess]> {
  const [program = '', ...first] = peers[name] ?? [];
  const port = await freePort();
  const child = spawn(program, [...first, ...args(port)], { stdio: ['ignore', 'ignore', 'ignore'] });
  return [`http://127.0.0.1:${port}`, child];
}

async function contestants(folder: string): Promise<Record<string, Contestant>> {
  const work = join(folder, 'work');
  await mkdir(work, { recursive: true });
  const server = { command: node, args: [echo] };
  const env = { ...process.env, ZOO_HOME: join(folder, 'home'), ZOO_CONFIG_DIR: join(folder, 'config') };
  await writeFile(
    join(work, 'zoo.toml'),
    `[tools.mcp.echo]\ncommand = ${JSON.stringify(node)}\nargs = [${JSON.stringify(echo)}]\n`,
  );
  const hub = await startServer([zoo, 'serve', '--no-open', '--port', '0', '--trust-all'], env, work);
  const headers = { authorization: `Bearer ${readOperatorToken(env.ZOO_HOME) ?? ''}` };
  const overHttp = (url: string, init: RequestInit = {}) =>
    new StreamableHTTPClientTransport(new URL(url), { requestInit: init });
  const bridgeEnv = Object.fromEntries(
    Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
  const own = (mode: Mode, owns: boolean) =>
    connect(() => overHttp(`${hub.url}/mcp`, { headers }), 'echo__echo', mode, hub.child, owns);
  const bound = await startServer([instant], process.env);
  const proxy = await startServer([plain, echo], process.env);

  const hubConfig = join(folder, 'mcp-hub.json');
  await writeFile(hubConfig, JSON.stringify({ mcpServers: { echo: server } }));
  const [hubUrl, hubChild] = await startPeer('mcp-hub', (port) => [
    '--port',
    String(port),
    '--config',
    hubConfig,
  ]);
  const [gateUrl, gateChild] = await startPeer('supergateway', (port) => [
    '--stdio',
    `${node} ${echo}`,
    '--outputTransport',
    'streamableHttp',
    '--stateful',
    '--logLevel',
    'none',
    '--port',
    String(port),
  ]);
  const [proxyUrl, proxyChild] = await startPeer('mcp-proxy', (port) => [
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--',
    node,
    echo,
  ]);
  return {
    'straight to the server': await connect(() => new StdioClientTransport(server), 'echo'),
    'mcp-hub 4.2, SSE': await connect(
      () => new SSEClientTransport(new URL(`${hubUrl}/mcp`)),
      'echo',
      'legacy',
      hubChild,
    ),
    'supergateway 4, stateful': await connect(() => overHttp(`${gateUrl}/mcp`), 'echo', 'legacy', gateChild),
    'mcp-proxy 6.7': await connect(() => overHttp(`${proxyUrl}/mcp`), 'echo', 'legacy', proxyChild, false),
    'mcp-proxy 6.7, revision 2026-07-28': await connect(
      () => overHttp(`${proxyUrl}/mcp`),
      'echo',
      'auto',
      proxyChild,
    ),
    'zoo mcp': await connect(
      () => new StdioClientTransport({ command: node, args: [zoo, 'mcp'], env: bridgeEnv, cwd: work }),
      'echo__echo',
    ),
    'zoo /mcp': await own('legacy', false),
    'zoo /mcp, revision 2026-07-28': await own('auto', true),
    'a proxy that only replaces ids': await connect(() => overHttp(proxy.url), 'echo', 'legacy', proxy.child),
    'a server that answers at once': await connect(() => overHttp(bound.url), 'echo', 'legacy', bound.child),
  };
}

const call = ({ client, tool }: Contestant) => client.callTool({ name: tool, arguments: { text: 'hello' } });

/** Sockets that a server closes at the moment of a call fail it: in a batch that is one call less, not the end. */
const tryCall = (contestant: Contestant) => call(contestant).catch(() => undefined);

/** The processor time of this process, which all calls share. */
const clientMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Calls a second with 300 in flight: each batch is as many calls again. */
async function throughput(all: Record<string, Contestant>): Promise<void> {
  const rates: Record<string, number[]> = {};
  const work: Record<string, number[]> = {};
  const clientWork: Record<string, number[]> = {};
  for (let batch = 0; batch <= BATCHES; batch += 1) {
    for (const [name, contestant] of Object.entries(all)) {
      let left = IN_FLIGHT * 3;
      const lane = async (): Promise<void> => {
        while ((left -= 1) >= 0) await tryCall(contestant);
      };
      const before = processorMs(contestant.pid);
      const clientBefore = clientMs();
      const took = await timed(() => Promise.all(Array.from({ length: IN_FLIGHT }, lane)));
      if (batch === 0) continue;
      (rates[name] ??= []).push((IN_FLIGHT * 3 * 1000) / took);
      (work[name] ??= []).push((processorMs(contestant.pid) - before) / (IN_FLIGHT * 3));
      (clientWork[name] ??= []).push((clientMs() - clientBefore) / (IN_FLIGHT * 3));
    }
  }
  const fastest = Math.max(...overHttpPeers(rates).map(median));
  console.log(`\nCalls a second, ${IN_FLIGHT} in flight   (goal: ≥ 1.2× of the fastest peer)`);
  for (const [name, values] of Object.entries(rates)) {
    const rate = median(values);
    const own = median(work[name] ?? []);
    const client = median(clientWork[name] ?? []);
    // Which side is the limit: one client is one thread, so it makes no more than 1000 / its time calls a second.
    const each = Number.isNaN(own) ? '' : `, ${own.toFixed(3)} ms of the program`;
    console.log(
      `  ${name.padEnd(44)} ${rate.toFixed(0).padStart(9)}/s ${`${(rate / fastest).toFixed(2)}×`.padStart(8)}  processor: ${client.toFixed(3)} ms of the client${each}`,
    );
  }
}

const overHttpPeers = (samples: Record<string, number[]>): number[][] =>
  Object.entries(samples).flatMap(([name, values]) => (/^(mcp|super)/.test(name) ? [values] : []));

const folder = await mkdtemp(join(tmpdir(), 'zoo-bench-'));
const all = await contestants(folder);
try {
  const samples = await compare(
    ROUNDS,
    Object.fromEntries(Object.entries(all).map(([name, each]) => [name, () => call(each)])),
  );
  const fastest = Math.min(...overHttpPeers(samples).map(median));
  report('A call, one at a time   (goal: /mcp ≤ 0.9× of the fastest peer)', samples);
  for (const [name, values] of Object.entries(samples)) {
    if (name.startsWith('zoo'))
      console.log(`  ${name}: ${(median(values) / fastest).toFixed(2)}× of the fastest peer`);
  }
  await throughput(all);
} finally {
  for (const each of Object.values(all)) await each.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
process.exit();
