// An ACP agent whose model is the prompt itself: lines that begin with `!` are what it does.
// Everything it sees goes to the file ORACLE, one JSON object per line: the truth that tests compare with.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { agent, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';

if (process.argv.includes('--version')) {
  console.log('fake-acp 1.2.3');
  process.exit(0);
}

/**
 * @typedef {{ url: string, headers: { name: string, value: string }[] }} Server
 * @typedef {{ id: string, cwd: string, mcp: Server, cancel: AbortController }} Session
 * @typedef {import('@agentclientprotocol/sdk').AgentContext} Client
 */
const oracle = process.env['ORACLE'];
/** @param {object} entry */
const note = (entry) => oracle && appendFileSync(oracle, `${JSON.stringify(entry)}\n`);
/** @type {Map<string, Session>} */
const sessions = new Map();
let calls = 0;

/** @param {Server} server @param {string} name @param {unknown} args */
async function callTool(server, name, args) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'fake', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const response = await fetch(server.url, {
    method: 'POST',
    headers: {
      ...Object.fromEntries(server.headers.map((header) => [header.name, header.value])),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: ++calls,
      method: 'tools/call',
      params: { name, arguments: args, _meta: meta },
    }),
  });
  /** @type {any} */
  const { result, error } = await response.json();
  return (
    result?.structuredContent ?? { error: result?.content?.[0]?.text ?? error?.message ?? response.status }
  );
}

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
  if (verb === 'token') {
    note({ token: session.mcp.headers[0]?.value.replace('Bearer ', '') });
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
    spawn('sleep', ['1000'], { stdio: 'ignore' });
    return;
  }
  if (verb === 'ask') {
    const [kind, path] = rest.split(' ');
    /** @type {any} */
    const { outcome } = await client.request('session/request_permission', {
      sessionId: session.id,
      toolCall: { toolCallId: 't', title: 'Write', kind, locations: [{ path }] },
      options: [
        { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
        { optionId: 'no', name: 'No', kind: 'reject_once' },
      ],
    });
    note({ permission: rest, outcome: outcome.optionId ?? outcome.outcome });
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
  const args = rest === '' ? {} : JSON.parse(rest);
  note({ tool: verb, args, result: await callTool(session.mcp, verb, args) });
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
    agentCapabilities: { loadSession: true },
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
    note({ prompt: text, session: session.id, cwd: session.cwd, pid: process.pid });
    for (const line of text.split('\n').filter((each) => each.startsWith('!'))) {
      await act(line, session, client, session.cancel.signal);
      if (session.cancel.signal.aborted) return { stopReason: 'cancelled' };
    }
    note({ finished: text, session: session.id });
    return { stopReason: 'end_turn' };
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
