// An ACP agent whose model is the prompt itself: lines that begin with `!` are what it does.
// Everything it sees goes to the file ORACLE, one JSON object per line: the truth that tests compare with.
// With `--stdio`, it starts MCP servers as programs and knows no others.
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { agent, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import { callTool, callToolOverStdio } from './call-team-tool.js';

if (process.argv.includes('--version')) {
  console.log('fake-acp 1.2.3');
  process.exit(0);
}

const isStdio = process.argv.includes('--stdio');

/**
 * @typedef {{ name: string, value: string }} Named
 * @typedef {{ url: string, headers: Named[], command: string, args: string[], env: Named[] }} Server
 * @typedef {{ id: string, cwd: string, mcp: Server, cancel: AbortController }} Session
 * @typedef {import('@agentclientprotocol/sdk').AgentContext} Client
 */
const oracle = process.env['ORACLE'];
/** @param {object} entry */
const note = (entry) => oracle && appendFileSync(oracle, `${JSON.stringify(entry)}\n`);
/** @type {Map<string, Session>} */
const sessions = new Map();
/** @param {Named[]} list */
const record = (list) => Object.fromEntries(list.map(({ name, value }) => [name, value]));
/** @param {Server} server @param {string} tool @param {Record<string, unknown>} args */
const call = (server, tool, args) =>
  isStdio
    ? callToolOverStdio({ ...server, env: record(server.env) }, tool, args)
    : callTool(server.url, record(server.headers), tool, args);

/** @param {string} line @param {Session} session @param {Client} client @param {AbortSignal} signal */
async function act(line, session, client, signal) {
  const [, verb = '', rest = ''] = /^!(\w+)\s*(.*)$/.exec(line) ?? [];
  if (verb === 'say') {
    await client.notify('session/update', chunk(session.id, rest));
    return;
  }
  if (verb === 'sleep') {
    await sleep(Number(rest));
    return;
  }
  // Until the file exists; goes on when the hub is gone.
  if (verb === 'hold') {
    while (!existsSync(rest)) await sleep(20);
    return;
  }
  if (verb === 'crash') process.exit(3);
  // Once: the file says that it has happened.
  if (verb === 'stumble') {
    if (existsSync(rest)) return;
    appendFileSync(rest, '');
    process.exit(3);
  }
  if (verb === 'token') {
    const { headers, env } = session.mcp;
    note({ token: isStdio ? record(env)['ZOO_TOKEN'] : headers[0]?.value.replace('Bearer ', '') });
    return;
  }
  if (verb === 'hang') {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return;
  }
  if (verb === 'deaf') await new Promise(() => setInterval(() => undefined, 1000));
  if (verb === 'flood') {
    process.stderr.write('e'.repeat(400_000));
    await client.notify('session/update', chunk(session.id, 'x'.repeat(300_000)));
    return;
  }
  if (verb === 'fork') {
    note({ forked: spawn('sleep', ['1000'], { stdio: 'ignore' }).pid });
    return;
  }
  if (verb === 'ask') {
    const [kind = '', path = '', title = 'Write'] = /^(\S+) (\S+)(?: (.*))?$/.exec(rest)?.slice(1) ?? [];
    /** @type {any} */
    const { outcome, _meta } = await client.request('session/request_permission', {
      sessionId: session.id,
      toolCall: { toolCallId: 't', title, kind, locations: path === '-' ? [] : [{ path }] },
      options: [
        { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
        { optionId: 'no', name: 'No', kind: 'reject_once' },
      ],
    });
    note({ permission: rest, outcome: outcome.optionId ?? outcome.outcome, reason: _meta?.reason });
    return;
  }
  if (verb === 'read' || verb === 'write') {
    const method = verb === 'read' ? 'fs/read_text_file' : 'fs/write_text_file';
    const params = { sessionId: session.id, path: rest, ...(verb === 'write' ? { content: 'written' } : {}) };
    /** @type {any} */
    const result = await client
      .request(method, params)
      .catch(/** @param {Error} error */ (error) => ({ error: error.message }));
    note({ file: rest, ...result });
    return;
  }
  // In its own process, not through its client.
  if (verb === 'shell') {
    const { stdout, stderr } = spawnSync('sh', ['-c', rest], { encoding: 'utf8' });
    note({ shell: rest, output: stdout + stderr });
    return;
  }
  if (verb === 'run') {
    /** @type {any} */
    const made = await client
      .request('terminal/create', { sessionId: session.id, command: 'sh', args: ['-c', rest] })
      .catch(/** @param {Error} error */ (error) => ({ error: error.message }));
    if (made.error) {
      note({ ran: rest, ...made });
      return;
    }
    const terminal = { sessionId: session.id, terminalId: made.terminalId };
    /** @type {any} */
    const exit = await client.request('terminal/wait_for_exit', terminal);
    /** @type {any} */
    const { output } = await client.request('terminal/output', terminal);
    await client.request('terminal/release', terminal);
    note({ ran: rest, output, exitCode: exit.exitCode });
    return;
  }
  // As a client reports a tool of its own.
  if (verb === 'use') {
    const update = { sessionUpdate: 'tool_call', toolCallId: randomUUID(), title: rest };
    await client.notify('session/update', { sessionId: session.id, update });
    return;
  }
  if (verb === 'usage') {
    const [used, amount] = rest.split(' ').map(Number);
    await client.notify('session/update', {
      sessionId: session.id,
      update: { sessionUpdate: 'usage_update', used, size: 200_000, cost: { amount, currency: 'USD' } },
    });
    return;
  }
  const args = rest === '' ? {} : JSON.parse(rest);
  note({
    session: session.id,
    tool: verb,
    args,
    result: await call(session.mcp, verb, args),
  });
}

/** @param {string} sessionId @param {string} text @returns {import('@agentclientprotocol/sdk').SessionNotification} */
const chunk = (sessionId, text) => ({
  sessionId,
  update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
});

/** @param {string} id @param {{ cwd: string, mcpServers: any[] }} params */
function openSession(id, { cwd, mcpServers }) {
  sessions.set(id, { id, cwd, mcp: mcpServers[0], cancel: new AbortController() });
  return id;
}

agent({ name: 'fake' })
  .onRequest('initialize', () => ({
    protocolVersion: PROTOCOL_VERSION,
    agentCapabilities: { loadSession: true, mcpCapabilities: { http: !isStdio } },
  }))
  .onRequest('session/new', ({ params }) => ({ sessionId: openSession(randomUUID(), params) }))
  .onRequest('session/load', ({ params }) => {
    note({ loaded: params.sessionId });
    openSession(params.sessionId, params);
    return {};
  })
  .onNotification('session/cancel', ({ params }) => sessions.get(params.sessionId)?.cancel.abort())
  .onRequest('session/prompt', async ({ params, client }) => {
    const session = sessions.get(params.sessionId);
    if (!session) throw new Error('no such session');
    session.cancel = new AbortController();
    const text = params.prompt.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    const at = performance.timeOrigin + performance.now();
    note({ prompt: text, session: session.id, cwd: session.cwd, pid: process.pid, at });
    for (const line of text.split('\n').filter((each) => each.startsWith('!'))) {
      await act(line, session, client, session.cancel.signal);
      if (session.cancel.signal.aborted) return { stopReason: 'cancelled' };
    }
    note({ finished: text, session: session.id });
    return { stopReason: 'end_turn' };
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
