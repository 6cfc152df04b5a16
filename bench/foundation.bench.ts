import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOperatorToken } from '../src/platform/home/access.ts';
import { createHub } from '../src/hub/create-hub.ts';
import { serveBytes } from './bare-server.ts';
import { compare, createCaller, report, startServer, stopServer, timed } from './measure.ts';

const AGENTS = 10_000;
const here = fileURLToPath(import.meta.url);
const zoo = fileURLToPath(new URL('../zoo.js', import.meta.url));

const persona = Array.from(
  { length: 40 },
  (_, n) => `Rule ${n}: say what you mean, and mean what you say.`,
).join('\n');

async function fill(home: string, env: NodeJS.ProcessEnv): Promise<void> {
  const hub = await createHub({ home, env, folder: home });
  const context = hub.localContext(await hub.workspaceFor(undefined));
  for (let n = 0; n < AGENTS; n++) {
    await hub.operations.createAgent(
      {
        body: {
          id: `agent-${n}`,
          name: `Agent ${n}`,
          description: `The agent with the number ${n}`,
          systemPrompt: persona,
          skills: [
            { name: 'Brevity', description: 'Be brief.' },
            { name: 'Tests', description: 'Write tests.' },
          ],
        },
      },
      context,
    );
  }
  await hub.close();
}

async function command(env: NodeJS.ProcessEnv, cwd: string, ...args: string[]): Promise<void> {
  const child = spawn(process.execPath, args, { env, cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'zoo-bench-'));
  const home = join(folder, 'home');
  const workspace = join(folder, 'workspace');
  await mkdir(workspace, { recursive: true });
  const env = {
    ...process.env,
    ZOO_HOME: home,
    ZOO_CONFIG_DIR: join(folder, 'config'),
    NODE_EXTRA_CA_CERTS: undefined,
  };
  const small = { ...env, ZOO_HOME: join(folder, 'small-home') };
  try {
    const took = await timed(() => fill(home, env));
    console.log(`${AGENTS} agents created, each a durable commit, in ${(took / 1000).toFixed(1)} s`);

    const cold = {
      'node -e 0': () => command(env, workspace, '-e', '0'),
      'zoo --version': () => command(small, workspace, zoo, '--version'),
      'zoo agent list, no hub': () => command(small, workspace, zoo, 'agent', 'list'),
    };
    report('Cold start, no hub', await compare(20, cold), 'agent list ≤ 2×');

    const hub = await startServer([zoo, 'serve', '--no-open', '--port', '0'], { ...env, PWD: workspace });
    const smallHub = await startServer([zoo, 'serve', '--no-open', '--port', '0'], {
      ...small,
      PWD: workspace,
    });
    const warm = {
      'node -e 0': () => command(env, workspace, '-e', '0'),
      'zoo agent list, through the hub': () => command(small, workspace, zoo, 'agent', 'list'),
      [`zoo agent list --json, ${AGENTS} agents`]: () =>
        command(env, workspace, zoo, 'agent', 'list', '--json'),
    };
    report('Cold start, hub running', await compare(20, warm), 'agent list ≤ 2×');
    await stopServer(smallHub.child);

    const headers = { authorization: `Bearer ${readOperatorToken(home) ?? ''}` };
    const call = createCaller(hub.url);
    const resolve = { method: 'POST', path: '/agents/agent-5000/prompt', headers, body: '{"arguments":{}}' };
    const answer = join(folder, 'answer.json');
    await writeFile(answer, await call(resolve));
    const bare = await startServer([here, 'bare', answer], env);
    const callBare = createCaller(bare.url);
    let n = 0;
    const requests = {
      'bare handler, same bytes': () => callBare(resolve),
      'resolve one of 10,000 agents': () => call(resolve),
      'resolve, each time another agent': () =>
        call({ ...resolve, path: `/agents/agent-${n++ % AGENTS}/prompt` }),
    };
    report('Resolve over HTTP', await compare(5_000, requests), '≤ 1.5×');
    const others = {
      'bare handler, same bytes': () => callBare(resolve),
      'PATCH one field (durable)': () =>
        call({
          method: 'PATCH',
          path: '/api/agents/agent-1',
          headers,
          body: `{"description":"edit ${n++}"}`,
        }),
      'GET /api/agents?limit=50&q=number': () =>
        call({ method: 'GET', path: '/api/agents?limit=50&q=number', headers }),
    };
    // Each search follows a write, as while somebody types in one window and an agent is saved in another.
    report(`With ${AGENTS} agents, after a write`, await compare(200, others), 'search ≤ 3 ms');
    await stopServer(bare.child);
    await stopServer(hub.child);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const [role, file] = process.argv.slice(2);
await (role === 'bare' && file !== undefined ? serveBytes(file) : main());
