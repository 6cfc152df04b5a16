import { describe, expect, it, vi } from 'vitest';
import { call, connect, failure, stage, type Way, WAYS } from './mcp-clients.ts';
import { type RunningHub, startHub } from '../start-hub.ts';
import { tempFolder } from '../temp-folder.ts';
import { PATIENCE } from '../patience.ts';

const FILES = {
  'zoo.toml': `
[agents.scribe]
name = "The Scribe"
description = "Writes things down."
version = "2.3.4"
system_prompt = "Write."
tools = ["agent_zoo_list_agents", "agent_zoo_create_brain_entry"]

[agents.other]
system_prompt = "Other."
`,
};
const HTTP: readonly Way[] = WAYS.filter(({ transport }) => transport === 'http');

async function tokenFor(hub: RunningHub, agentId: string): Promise<string> {
  return (await hub.request('POST', '/api/tokens', { agentId })).body.token;
}

describe.each(WAYS)('one agent, over $transport, $era', (way) => {
  it('is a server with its own name, version and instructions', async () => {
    await using opened = await stage(way, FILES, { agent: 'scribe' });
    const { client } = opened;
    expect(client.getServerVersion()).toMatchObject({ name: 'The Scribe', version: '2.3.4' });
    expect(client.getInstructions()).toBe('Writes things down.');
  });

  it('has only its scope, its prompt and its resources', async () => {
    await using opened = await stage(way, FILES, { agent: 'scribe', trustAll: true });
    const { client } = opened;
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['agent_zoo_create_brain_entry', 'agent_zoo_list_agents']);
    expect(await failure(client, 'agent_zoo_inject', { agentId: 'scribe' })).toMatchObject({
      code: 'OUT_OF_SCOPE',
      message:
        "Agent 'scribe' may not call 'agent_zoo_inject'. In its scope: agent_zoo_list_agents, agent_zoo_create_brain_entry.",
    });
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['scribe']);
    await expect(client.getPrompt({ name: 'other' })).rejects.toThrow(/has no prompt 'other'/);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual([
      'agent-zoo://agents/scribe',
    ]);
    for (const uri of [
      'agent-zoo://agents/other',
      'agent-zoo://agents/other/brain',
      'skill://other/SKILL.md',
    ]) {
      await expect(client.readResource({ uri })).rejects.toThrow(/not found/i);
    }
    const entry = { type: 'note', content: 'x' };
    expect(
      (await call(client, 'agent_zoo_create_brain_entry', { agentId: 'scribe', ...entry })).isError,
    ).toBe(false);
    expect(
      await failure(client, 'agent_zoo_create_brain_entry', { agentId: 'other', ...entry }),
    ).toMatchObject({ code: 'OUT_OF_SCOPE' });
  });

  it('sees the named workspace', async () => {
    await using elsewhere = await tempFolder({ 'zoo.toml': '[agents.local]\nsystem_prompt = "Here."\n' });
    await using hub = await startHub(FILES, { trustAll: true });
    await using connected = await connect(hub, way, { workspace: elsewhere.path });
    const names = (await connected.client.listPrompts()).prompts.map(({ name }) => name);
    expect(names).toEqual(['guide', 'local']);
  });
});

describe.each(HTTP)('a token of an agent, $era', (way) => {
  it('only opens its own URL', async () => {
    await using hub = await startHub(FILES, { trustAll: true });
    const token = await tokenFor(hub, 'scribe');
    await using own = await connect(hub, way, { agent: 'scribe', token });
    expect((await own.client.listTools()).tools).toHaveLength(2);
    await expect(connect(hub, way, { agent: 'other', token })).rejects.toThrow(/bound to scribe|403/);
    await expect(connect(hub, way, { token })).rejects.toThrow(/operator|403/);
    await expect(connect(hub, way, { agent: 'scribe', token: 'wrong' })).rejects.toThrow(
      /token|401|unauthorized/i,
    );
  });
});

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  },
};
const PING = { jsonrpc: '2.0', id: 2, method: 'ping' };

describe('a session', () => {
  const open = async (hub: RunningHub, path: string, token = hub.token): Promise<string> => {
    const headers = { accept: 'application/json, text/event-stream', authorization: `Bearer ${token}` };
    const { headers: answered } = await hub.request('POST', path, INITIALIZE, headers);
    return answered.get('mcp-session-id') ?? '';
  };
  const ping = async (hub: RunningHub, path: string, session: string, token = hub.token): Promise<number> => {
    const headers = {
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
      'mcp-session-id': session,
    };
    return (await hub.request('POST', path, PING, headers)).status;
  };

  it('can only be used by the caller that opened it, for the same agent', async () => {
    await using hub = await startHub(FILES, { trustAll: true });
    const token = await tokenFor(hub, 'scribe');
    const [mine, theirs] = [await open(hub, '/mcp/scribe'), await open(hub, '/mcp/scribe', token)];
    expect(await ping(hub, '/mcp/scribe', mine)).toBe(200);
    expect(await ping(hub, '/mcp/scribe', theirs, token)).toBe(200);
    expect(await ping(hub, '/mcp/scribe', mine, token)).toBe(404);
    expect(await ping(hub, '/mcp/scribe', theirs)).toBe(404);
    expect(await ping(hub, '/mcp', mine)).toBe(404);
    expect(await ping(hub, '/mcp/scribe', 'made-up')).toBe(404);
  });

  it('is closed when there are too many, the longest idle first', async () => {
    await using hub = await startHub({}, { mcp: { sessions: { max: 2 } } });
    const [first, second] = [await open(hub, '/mcp'), await open(hub, '/mcp')];
    expect(await ping(hub, '/mcp', first)).toBe(200);
    const third = await open(hub, '/mcp');
    expect(await ping(hub, '/mcp', second)).toBe(404);
    expect(await ping(hub, '/mcp', first)).toBe(200);
    expect(await ping(hub, '/mcp', third)).toBe(200);
  });

  it('is closed when idle', async () => {
    await using hub = await startHub({}, { mcp: { sessions: { idleMs: 50 } } });
    const session = await open(hub, '/mcp');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await ping(hub, '/mcp', session)).toBe(404);
  });

  it('is not closed while a client listens', async () => {
    await using hub = await startHub({}, { mcp: { sessions: { idleMs: 100, max: 1 } } });
    const leave = new AbortController();
    const listen = async () => {
      const session = await open(hub, '/mcp');
      const headers = {
        accept: 'text/event-stream',
        authorization: `Bearer ${hub.token}`,
        'mcp-session-id': session,
      };
      return { session, stream: await fetch(`${hub.url}/mcp`, { headers, signal: leave.signal }) };
    };
    let { session, stream } = await listen();
    // On a busy machine it may have been idle for too long before the stream was open.
    while (stream.status === 404) ({ session, stream } = await listen());
    expect(stream.status).toBe(200);
    expect(stream.headers.get('x-content-type-options')).toBe('nosniff');
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(await ping(hub, '/mcp', session)).toBe(200);
    expect(await open(hub, '/mcp')).toBe('');
    leave.abort();
    await vi.waitFor(async () => expect(await open(hub, '/mcp')).not.toBe(''), PATIENCE);
  });

  it('ends when its client says so', async () => {
    await using hub = await startHub();
    const session = await open(hub, '/mcp');
    const { status } = await hub.request('DELETE', '/mcp', undefined, { 'mcp-session-id': session });
    expect(status).toBe(200);
    expect(await ping(hub, '/mcp', session)).toBe(404);
  });
});

describe('the door', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('speaks %s', async (revision) => {
    await using hub = await startHub();
    const params = { ...INITIALIZE.params, protocolVersion: revision };
    const accept = 'application/json, text/event-stream';
    const { body } = await hub.request('POST', '/mcp', { ...INITIALIZE, params }, { accept });
    expect(body.result.protocolVersion).toBe(revision);
  });

  it('is guarded like the rest of HTTP', async () => {
    await using hub = await startHub();
    const post = async (headers: Record<string, string>) =>
      (await hub.request('POST', '/mcp', INITIALIZE, headers)).status;
    expect(await post({ authorization: '' })).toBe(401);
    expect(await post({ origin: 'https://evil.example' })).toBe(403);
    expect(await post({ 'content-type': 'text/plain' })).toBe(415);
    expect((await hub.request('POST', '/mcp', '{"jsonrpc":')).status).toBe(400);
    expect((await hub.request('POST', '/mcp', 'x'.repeat(5 * 1024 * 1024))).status).toBe(413);
    expect((await hub.request('PUT', '/mcp', {})).status).toBe(405);
    expect(await hub.request('POST', '/mcp/gude', INITIALIZE)).toMatchObject({
      status: 404,
      body: { error: { message: "Agent with ID 'gude' not found. Did you mean 'guide'?" } },
    });
  });
});
