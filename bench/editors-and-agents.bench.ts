import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startHubWithProvider, zoo } from './hub-with-provider.ts';
import { liveObjects, SNAPSHOT_ON_SIGNAL } from './live-objects.ts';
import { compare, createCaller, report, reportAdded } from './measure.ts';
import { startCaller } from './stdio-caller.ts';
import { readUntil } from './streaming-provider.ts';

const bareAgent = fileURLToPath(new URL('./acp-agent.bare.js', import.meta.url));
const ROUNDS = 60;
/** Those that only warm up included. */
const CONVERSATIONS = Math.ceil(ROUNDS * 1.1) + 1;

const AGENT = `[agents.ada]
system_prompt = "You are Ada."
mode = "autonomous"
tools = []
[budget]
agent_day = { tokens = 900_000_000, usd = 90_000 }
hub_day = { tokens = 900_000_000, usd = 90_000 }
`;

/** An editor that resolves with the first line of the agent that has a text. */
function startEditor(env: NodeJS.ProcessEnv, cwd: string) {
  const child: ChildProcess = spawn(process.execPath, [zoo, 'acp', 'ada'], {
    env,
    cwd,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Set<{ text: string; found(line: string): void }>();
  let rest = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines)
      for (const each of waiting)
        if (line.includes(each.text)) {
          waiting.delete(each);
          each.found(line);
        }
  });
  let id = 0;
  const until = (text: string) => new Promise<string>((found) => waiting.add({ text, found }));
  const send = (method: string, params: object): number => {
    id += 1;
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return id;
  };
  const call = async (method: string, params: object): Promise<Record<string, unknown>> => {
    const answer = until(`"id":${id + 1},`);
    send(method, params);
    const { result }: { result?: Record<string, unknown> } = JSON.parse(await answer);
    if (!result) throw new Error(`${method}: ${await answer}`);
    return result;
  };
  return {
    call,
    /** To the first piece of the answer. */
    async prompt(sessionId: unknown) {
      const piece = until('agent_message_chunk');
      send('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Hi' }] });
      await piece;
    },
    async close() {
      const ended = once(child, 'exit');
      child.stdin?.end();
      await ended;
    },
  };
}

const INITIALIZE = { protocolVersion: 1, clientCapabilities: {} };

async function main(): Promise<void> {
  await using hub = await startHubWithProvider(AGENT, [SNAPSHOT_ON_SIGNAL]);
  const { url, token, env, folder } = hub;
  const editor = startEditor(env, folder);
  try {
    await comparePieces(url, token, editor, folder);
    const start = (args: readonly string[]) => async () => {
      const caller = startCaller(args, env, folder);
      await caller.call('initialize', INITIALIZE);
      await caller.close();
    };
    const starts = {
      'smallest agent on the SDK, to its first answer': start([bareAgent]),
      'zoo acp, to the answer of initialize': start([zoo, 'acp', 'ada']),
    };
    report('Start', await compare(30, starts), '≤ 0.8×');
    if (process.platform !== 'win32') await idleContexts(url, token, () => liveObjects(hub.child, folder));
  } finally {
    await editor.close();
  }
}

/** Contexts are rows: the hub holds as many objects after another thousand as before. */
async function idleContexts(url: string, token: string, countObjects: () => Promise<number>): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'a2a-version': '1.0' };
  const call = createCaller(url);
  const body = JSON.stringify({ message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Hi' }] } });
  console.log('\nIdle A2A contexts   (goal: no object of each)');
  for (let thousands = 1; thousands < 4; thousands++) {
    for (let n = 0; n < 1_000; n++)
      await call({ method: 'POST', path: '/a2a/ada/v1/message:send', headers, body });
    const objects = await countObjects();
    console.log(`  ${`after ${thousands},000`.padEnd(44)} ${String(objects).padStart(9)} objects`);
  }
}

/** The second message of a conversation over each surface, to the first piece of its answer. */
async function comparePieces(
  url: string,
  token: string,
  editor: ReturnType<typeof startEditor>,
  cwd: string,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'a2a-version': '1.0' };
  const call = createCaller(url);
  const post = async (path: string, body: unknown) =>
    JSON.parse(await call({ method: 'POST', path, headers, body: JSON.stringify(body) }));
  const said = (contextId?: string) => ({
    message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Hi' }], ...(contextId && { contextId }) },
  });
  await editor.call('initialize', INITIALIZE);
  const [chats, contexts, sessions]: [string[], string[], unknown[]] = [[], [], []];
  for (let n = 0; n < CONVERSATIONS; n++) {
    const chat: { id: string } = await post('/api/chats', { agent: 'ada', headless: true });
    const followed = fetch(`${url}/api/chats/${chat.id}/events`, { headers });
    await post(`/api/chats/${chat.id}/messages`, { message: 'Hi' });
    await readUntil(await followed, '"type":"done"');
    chats.push(chat.id);
    const { task }: { task: { contextId: string } } = await post('/a2a/ada/v1/message:send', said());
    contexts.push(task.contextId);
    const { sessionId } = await editor.call('session/new', { cwd, mcpServers: [] });
    await editor.call('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Hi' }] });
    sessions.push(sessionId);
  }
  const chat = async () => {
    const id = chats.pop() ?? '';
    const [followed] = await Promise.all([
      fetch(`${url}/api/chats/${id}/events?turn=2`, { headers }),
      post(`/api/chats/${id}/messages`, { message: 'Hi' }),
    ]);
    return readUntil(followed, '"type":"text"');
  };
  const a2a = async () => {
    const body = JSON.stringify(said(contexts.pop()));
    const answer = fetch(`${url}/a2a/ada/v1/message:stream`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    return readUntil(await answer, 'artifactUpdate');
  };
  const pieces = {
    'a message over /api/chats': chat,
    'the same over A2A': a2a,
    'the same over ACP': () => editor.prompt(sessions.pop()),
  };
  reportAdded('First streamed piece', await compare(ROUNDS, pieces), '+3 ms');
}

await main();
