import { describe, expect, it } from 'vitest';
import type { Tool } from '../src/contract/tool.ts';
import { call, connect } from './mcp/mcp-clients.ts';
import { startHub } from './start-hub.ts';

const tool = (name: string, execute: Tool['execute']): Tool => ({
  descriptor: {
    name,
    displayName: name,
    title: name,
    description: '',
    origin: 'script',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  execute,
});

let slowBegan: () => void = () => undefined;

const TOOLS = [
  tool('plain', async () => ({ content: [] })),
  tool('fails', async () => ({ isError: true, content: [{ type: 'text', text: 'no such s3cr3t-value' }] })),
  tool('asks', async (_args, { elicit }) => {
    const answer = await elicit('Sure?', { type: 'object', properties: { sure: { type: 'boolean' } } });
    return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
  }),
  tool(
    'slow',
    (_args, { context }) =>
      new Promise((_resolve, reject) => {
        setTimeout(slowBegan, 20);
        context.signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
      }),
  ),
];
const FILES = {
  'zoo.toml': `
[agents.worker]
system_prompt = "x"
tools = ["plain", "fails", "asks", "slow"]

[embedding]
provider = "openai"
api_key = "\${MY_KEY}"
`,
};
const start = () =>
  startHub(FILES, { extensions: [{ tools: TOOLS }], env: { MY_KEY: 's3cr3t-value' }, trustAll: true });

describe('a recorded call', () => {
  it('says who called, through which surface and on whose behalf', async () => {
    await using hub = await start();
    const { token } = (await hub.request('POST', '/api/tokens', { agentId: 'worker' })).body;
    await hub.request('POST', '/tools/plain', { about: 'my s3cr3t-value' });
    await hub.request('POST', '/tools/plain?agent=worker', {}, { 'zoo-surface': 'cli' });
    await hub.request('POST', '/tools/sources', {}, { authorization: `Bearer ${token}` });
    await using connected = await connect(
      hub,
      { transport: 'http', era: 'legacy' },
      { agent: 'worker', token },
    );
    await call(connected.client, 'call_tool', { name: 'fails', arguments: { password: 'hunter2' } });
    await call(connected.client, 'call_tool', { nonsense: true });
    await call(connected.client, 'find_tools', { query: 'x' });
    const { calls } = (await hub.request('GET', '/api/activity')).body;
    expect(calls).toMatchObject([
      { tool: 'find_tools', surface: 'mcp', client: 'test', outcome: 'ok' },
      { tool: 'call_tool', surface: 'mcp', outcome: 'failed', code: 'invalid_arguments' },
      {
        tool: 'fails',
        caller: 'agent:worker',
        surface: 'mcp',
        agentId: 'worker',
        outcome: 'failed',
        code: 'tool_error',
        message: 'no such [redacted]',
        arguments: '{"password":"[redacted]"}',
      },
      { tool: 'sources', caller: 'agent:worker', surface: 'http', outcome: 'failed', code: 'out_of_scope' },
      { tool: 'plain', caller: 'operator', surface: 'cli', client: null, agentId: 'worker', outcome: 'ok' },
      { tool: 'plain', surface: 'http', agentId: null, arguments: '{"about":"my [redacted]"}' },
    ]);
    expect((await hub.request('GET', '/api/activity?failed=true&tool=sources')).body.calls).toHaveLength(1);
    const ofClient = (await hub.request('GET', '/api/activity?client=test')).body.calls;
    expect(ofClient).toMatchObject([{ tool: 'find_tools' }, { tool: 'call_tool' }, { tool: 'fails' }]);
    const refused = await hub.request('GET', '/api/activity', undefined, {
      authorization: `Bearer ${token}`,
    });
    expect(refused.status).toBe(403);
  });

  it('distinguishes calls that asked, failed or were cancelled', async () => {
    await using hub = await start();
    const answer = { action: 'accept' as const, content: { sure: true } };
    await using connected = await connect(
      hub,
      { transport: 'http', era: 'modern' },
      {
        agent: 'worker',
        client: { capabilities: { elicitation: {} } },
        prepare: (client) => client.setRequestHandler('elicitation/create', async () => answer),
      },
    );
    expect((await call(connected.client, 'asks')).text).toBe('{"sure":true}');
    const giveUp = new AbortController();
    slowBegan = () => giveUp.abort();
    await connected.client
      .callTool({ name: 'slow', arguments: {} }, { signal: giveUp.signal })
      .catch(() => undefined);
    await expect
      .poll(async () => (await hub.request('GET', '/api/activity')).body.calls)
      .toMatchObject([
        { tool: 'slow', outcome: 'cancelled' },
        { tool: 'asks', outcome: 'ok' },
        { tool: 'asks', outcome: 'asked', code: null },
      ]);
  });

  it('survives a restart of the hub', async () => {
    await using hub = await start();
    await hub.request('POST', '/tools/plain', {});
    await hub.hub.close();
    const { createHub } = await import('../src/hub/create-hub.ts');
    const again = await createHub({ home: hub.home, env: {}, folder: hub.folder });
    const { calls } = await again.operations.listActivity(
      {},
      again.localContext(await again.workspaceFor(undefined)),
    );
    expect(calls).toMatchObject([{ tool: 'plain' }]);
    await again.close();
  });
});
