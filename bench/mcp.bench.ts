import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHub } from '../src/hub/create-hub.ts';
import { readOperatorToken } from '../src/platform/home/access.ts';
import { serveEcho } from './bare-mcp.ts';
import { compare, createCaller, report, startServer, stopServer } from './measure.ts';
import { ownMegabytes } from './own-memory.ts';
import { envelope, initialize, startCaller } from './stdio-caller.ts';

const AGENTS = 1000;
const here = fileURLToPath(import.meta.url);
const zoo = fileURLToPath(new URL('../zoo.js', import.meta.url));
const bareStdio = fileURLToPath(new URL('./echo-stdio.bare.js', import.meta.url));
const inject = { name: 'agent_zoo_inject', arguments: { agentId: 'agent-500' } };

async function fill(home: string, env: NodeJS.ProcessEnv): Promise<void> {
  const hub = await createHub({ home, env, folder: home });
  const context = hub.localContext(await hub.workspaceFor(undefined));
  const systemPrompt = 'Say what you mean, and mean what you say.\n'.repeat(40);
  for (let n = 0; n < AGENTS; n += 1) {
    const body = { id: `agent-${n}`, name: `Agent ${n}`, description: `Number ${n}`, systemPrompt };
    await hub.operations.createAgent({ body }, context);
  }
  await hub.close();
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'zoo-bench-'));
  const home = join(folder, 'home');
  const work = join(folder, 'work');
  await mkdir(work, { recursive: true });
  const env = { ...process.env, ZOO_HOME: home, ZOO_CONFIG_DIR: join(folder, 'config') };
  try {
    await fill(home, env);
    const hub = await startServer([zoo, 'serve', '--no-open', '--port', '0'], env);
    const answer = join(folder, 'answer.json');
    const bridge = startCaller([zoo, 'mcp'], env, work);
    await bridge.call('initialize', initialize);
    const { result } = JSON.parse(await bridge.call('tools/call', inject));
    await writeFile(answer, JSON.stringify(result));

    const firstAnswer = async (...args: string[]): Promise<void> => {
      const caller = startCaller(args, env, work);
      await caller.call('initialize', initialize);
      await caller.close();
    };
    const starts = {
      'smallest SDK server, to its first answer': () => firstAnswer(bareStdio),
      'zoo mcp, hub running': () => firstAnswer(zoo, 'mcp'),
    };
    report('Start', await compare(30, starts), '≤ 0.6×');

    const bare = startCaller([bareStdio, answer], env, work);
    await bare.call('initialize', initialize);
    const overStdio = {
      'bare SDK server over stdio, same bytes': () => bare.call('tools/call', inject),
      'agent_zoo_inject through zoo mcp': () => bridge.call('tools/call', inject),
    };
    report('A call over stdio', await compare(3000, overStdio), '≤ 2×');
    await bare.close();

    const bareHttp = await startServer([here, 'bare', answer], env);
    const post = {
      method: 'POST',
      path: '/mcp',
      headers: {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': inject.name,
        authorization: `Bearer ${readOperatorToken(home) ?? ''}`,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { ...inject, _meta: envelope },
      }),
    };
    const [callBare, callHub] = [createCaller(bareHttp.url), createCaller(hub.url)];
    const overHttp = {
      'bare SDK server over HTTP, same bytes': () => callBare(post),
      'agent_zoo_inject over /mcp': () => callHub(post),
    };
    report('A call over HTTP', await compare(3000, overHttp), '≤ 1.25×');
    await stopServer(bareHttp.child);

    const lists = {
      'agent_zoo_inject through zoo mcp': () => bridge.call('tools/call', inject),
      [`prompts/list, ${AGENTS} agents`]: () => bridge.call('prompts/list'),
    };
    report('With a thousand agents', await compare(200, lists));
    await bridge.close();
    await stopServer(hub.child);
    await tenAtOnce({ ...env, ZOO_HOME: join(folder, 'ten'), ZOO_IDLE_MS: '1000' }, work);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Ten windows that open together, without a hub. */
async function tenAtOnce(env: NodeJS.ProcessEnv & { ZOO_HOME: string }, work: string): Promise<void> {
  const bridges = Array.from({ length: 10 }, () => startCaller([zoo, 'mcp'], env, work));
  const startedAt = performance.now();
  await Promise.all(bridges.map((bridge) => bridge.call('initialize', initialize)));
  const took = performance.now() - startedAt;
  await Promise.all(bridges.map((bridge) => bridge.call('tools/list')));
  const log = readFileSync(join(env.ZOO_HOME, 'logs', 'hub.log'), 'utf8');
  const hubs = log.split('\n').filter((line) => line.includes('"msg":"serving"')).length;
  console.log(`\nTen bridges at once, without a hub`);
  console.log(`  all answered after ${took.toFixed(0)} ms; hubs started: ${hubs} (goal: 1)`);
  if (process.platform === 'linux') {
    const node = startCaller(['-e', 'process.stdin.resume(); process.stdout.write("")'], env, work);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const own = Math.max(...bridges.map(({ pid }) => ownMegabytes(pid)));
    console.log(
      `  memory of its own per bridge: ${own.toFixed(1)} MB at most; a Node that does nothing: ${ownMegabytes(node.pid).toFixed(1)} MB`,
    );
    await node.close();
  }
  await Promise.all(bridges.map((bridge) => bridge.close()));
  await new Promise((resolve) => setTimeout(resolve, 2500));
}

const [role, file] = process.argv.slice(2);
await (role === 'bare' && file !== undefined ? serveEcho(file) : main());
