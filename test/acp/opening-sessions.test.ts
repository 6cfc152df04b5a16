import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';
import { connectEditor } from '../../src/surfaces/acp/editor-connection.ts';
import { readableFrom, writableTo } from '../../src/surfaces/acp/editor-streams.ts';
import { createSessions } from '../../src/surfaces/acp/sessions.ts';
import { isAlive } from '../bridge/bridge-home.ts';
import { hubWithModel } from '../fake-model/hub-with-model.ts';
import { say } from '../fake-model/script.ts';

/** The first one is chosen for a new session; the list of the other names the server of the editor. */
const CONFIG = `
[runner]
model = "anthropic/claude-fake"
[agents.asker]
system_prompt = "You ask."
tools = []
[agents.coder]
system_prompt = "You write code."
tools = ["mcp__echo"]
`;

/** A hub, an editor in this process, and a server of the editor that starts only once it is released. */
async function stage() {
  const at = await hubWithModel([say('Hello.')], CONFIG);
  const { hub, folder: cwd, home } = at.hub;
  const [toHub, toEditor] = [new PassThrough(), new PassThrough()];
  const local = hub.localContext(await hub.workspaceFor(cwd));
  const served = connectEditor(
    hub,
    { ...local, surface: 'acp' },
    { input: toHub, output: toEditor },
    () => undefined,
  );
  const { agent } = acp
    .client({ name: 'editor' })
    .onNotification('session/update', () => undefined)
    .connect(acp.ndJsonStream(writableTo(toHub), readableFrom(toEditor)));
  await agent.request('initialize', { protocolVersion: acp.PROTOCOL_VERSION });
  const hold = join(home, 'hold');
  const server = {
    name: 'echo',
    command: process.execPath,
    args: [join(import.meta.dirname, 'echo-server.js')],
    env: [{ name: 'ECHO_HOLD', value: hold }],
  };
  const pids = `${hold}.pids`;
  const started = (): number[] =>
    existsSync(pids) ? readFileSync(pids, 'utf8').trim().split('\n').map(Number) : [];
  return {
    ...at,
    local,
    agent,
    client: served.client,
    place: { cwd, mcpServers: [server] },
    choose: (sessionId: string, value: string) =>
      agent.request('session/set_config_option', { sessionId, configId: 'agent', value }),
    started,
    running: () => started().filter(isAlive),
    release: () => writeFileSync(hold, ''),
    async leave() {
      toHub.end();
      await served.closed;
      toEditor.end();
    },
  };
}

test('a prompt that is cancelled while its session is being loaded is not sent to the model', async () => {
  await using at = await stage();
  const { agent, place } = at;
  const { sessionId } = await agent.request('session/new', { ...place, mcpServers: [] });
  await at.choose(sessionId, 'coder');
  const loaded = agent.request('session/load', { sessionId, ...place });
  await expect.poll(at.started).not.toEqual([]);
  const stop = new AbortController();
  const prompt = { sessionId, prompt: [{ type: 'text' as const, text: 'Hi' }] };
  const turn = agent.request('session/prompt', prompt, { cancellationSignal: stop.signal });
  stop.abort();
  // Requests are read in their order: after this one, the hub knows of the cancellation.
  await agent.request('session/list', {});
  at.release();
  expect(await turn).toEqual({ stopReason: 'cancelled' });
  await loaded;
  expect(at.model.requests).toEqual([]);
  expect(await agent.request('session/prompt', prompt)).toEqual({ stopReason: 'end_turn' });
  await at.leave();
});

test('servers that an editor offers while it disconnects are stopped', async () => {
  await using at = await stage();
  const { place } = at;
  const connect = (agent: string | null) => {
    const gone = new AbortController();
    const context = { ...at.local, agent, client: `editor of ${agent}`, signal: gone.signal };
    const editor = { client: at.client, capabilities: {}, log: () => undefined };
    const sessions = createSessions(at.hub.hub, context, editor);
    const disconnect = (): void => {
      gone.abort();
      sessions.closeAll();
    };
    return { sessions, disconnect };
  };
  const first = connect(null);
  const { sessionId } = await first.sessions.create(place);
  const session = await first.sessions.find(sessionId);
  // Its server is started now.
  const changed = session.change('agent', 'coder').catch(() => undefined);
  await expect.poll(at.started).not.toEqual([]);
  first.disconnect();
  at.release();
  await changed;
  await expect.poll(at.running).toEqual([]);

  const second = connect('coder');
  const created = second.sessions.create(place).catch(() => undefined);
  second.disconnect();
  await created;
  await expect.poll(at.running).toEqual([]);
  await at.leave();
});
