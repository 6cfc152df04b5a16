import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Tool } from '../../src/contract/tool.ts';
import { toolNames } from '../../src/tools/catalogue/tool-names.ts';
import { call, connect, failure, type Way, WAYS } from '../mcp/mcp-clients.ts';
import { type RunningHub, startHub } from '../start-hub.ts';

function echo(server: string | null, name: string, description = ''): Tool {
  return {
    descriptor: {
      ...toolNames(server, name),
      title: name,
      description,
      origin: server === null ? 'script' : 'upstream',
      inputSchema: {
        type: 'object',
        properties: { text: { type: 'string' }, times: { type: 'integer', default: 1 } },
        required: ['text'],
      },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    execute: async (args, { progress }) => {
      progress(1, 1, 'echoing');
      return { content: [{ type: 'text', text: JSON.stringify({ name, ...args }) }] };
    },
  };
}

const asks: Tool = {
  ...echo('forms', 'ask'),
  async execute(_args, { elicit }) {
    const answer = await elicit('Which colour?', {
      type: 'object',
      properties: { colour: { type: 'string' } },
    });
    return { content: [{ type: 'text', text: `you said ${JSON.stringify(answer)}` }] };
  },
};
const TOOLS = [
  ...Array.from({ length: 45 }, (_, n) => echo('many', `tool_${n}`, `Does the thing number ${n}.`)),
  echo('files', 'read.file'),
  asks,
];
const FILES = {
  'zoo.toml': `
[tools.groups]
some = ["many.tool_1", "many.tool_2"]

[agents.broad]
system_prompt = "All."
tools = ["many.*", "forms.*", "!many.tool_7"]

[agents.narrow]
system_prompt = "Some."
tools = ["some", "files.read.file"]

[agents.plain]
system_prompt = "As it is."
`,
};
const Page = z.looseObject({
  tools: z.array(z.looseObject({ name: z.string() })),
  nextCursor: z.string().optional(),
  total: z.int(),
});
const start = (): Promise<RunningHub> => startHub(FILES, { extensions: [{ tools: TOOLS }], trustAll: true });
const names = (tools: readonly { name: string }[]): string[] => tools.map(({ name }) => name);

describe.each(WAYS.filter(({ transport }) => transport !== 'bridge'))(
  'an agent with many tools, over $transport, $era',
  (way: Way) => {
    it('gets find_tools and call_tool, within its scope', async () => {
      await using hub = await start();
      await using connected = await connect(hub, way, { agent: 'broad' });
      const { client } = connected;
      expect(names((await client.listTools()).tools)).toEqual(['find_tools', 'call_tool']);

      const found = await call(client, 'find_tools', { query: 'thing number 12', limit: 3 });
      expect(found.structured).toMatchObject({
        tools: [
          { name: 'many__tool_12', displayName: 'many.tool_12', inputSchema: { required: ['text'] } },
          {},
          {},
        ],
        nextCursor: '3',
      });
      expect(
        await call(client, 'call_tool', { name: 'many__tool_12', arguments: { text: 'hi' } }),
      ).toMatchObject({
        isError: false,
        text: '{"name":"tool_12","text":"hi","times":1}',
      });
      expect(
        (await call(client, 'call_tool', { name: 'many.tool_12', arguments: { text: 'x' } })).isError,
      ).toBe(false);
      expect((await call(client, 'many__tool_12', { text: 'x' })).isError).toBe(false);
    });

    it('finds all of its scope by pages, and nothing else', async () => {
      await using hub = await start();
      await using connected = await connect(hub, way, { agent: 'broad' });
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const { structured } = await call(connected.client, 'find_tools', {
          limit: 20,
          ...(cursor && { cursor }),
        });
        const page = Page.parse(structured);
        expect(page.total).toBe(45);
        seen.push(...names(page.tools));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(seen).toEqual(names((await hub.request('GET', '/tools/list?agent=broad')).body.tools));
      const other = await call(connected.client, 'find_tools', { query: 'many.tool_7' });
      expect(JSON.stringify(other.structured)).not.toContain('many__tool_7"');
    });

    it('cannot call find_tools and call_tool through call_tool', async () => {
      await using hub = await start();
      await using connected = await connect(hub, way, { agent: 'broad' });
      for (const name of [
        'many.tool_7',
        'many__tool_7',
        'agent_zoo_list_agents',
        'call_tool',
        'find_tools',
        'nope',
      ]) {
        expect(
          await failure(connected.client, 'call_tool', { name, arguments: { text: 'x' } }),
        ).toMatchObject({
          code: 'OUT_OF_SCOPE',
          message: expect.stringMatching(/^Agent 'broad' may not call .* and \d+ more\.$/),
        });
      }
      const inner = { name: 'call_tool', arguments: { name: 'many.tool_7', arguments: { text: 'x' } } };
      expect(await failure(connected.client, 'call_tool', inner)).toMatchObject({ code: 'OUT_OF_SCOPE' });
      expect(await failure(connected.client, 'call_tool', { name: 'many.tool_1' })).toMatchObject({
        code: 'INVALID_ARGUMENTS',
        message: 'many__tool_1: text is missing',
      });
    });

    it('gets questions and progress through them', async () => {
      await using hub = await start();
      await using connected = await connect(hub, way, {
        agent: 'broad',
        client: { capabilities: { elicitation: {} } },
        prepare: (client) =>
          client.setRequestHandler('elicitation/create', async () => ({
            action: 'accept',
            content: { colour: 'green' },
          })),
      });
      const args = { name: 'forms.ask', arguments: { text: '' } };
      expect((await call(connected.client, 'call_tool', args)).text).toBe('you said {"colour":"green"}');
      const steps: unknown[] = [];
      await connected.client.callTool(
        { name: 'call_tool', arguments: { name: 'many.tool_1', arguments: { text: 'x' } } },
        { onprogress: (step) => steps.push(step) },
      );
      expect(steps).toMatchObject([{ progress: 1, total: 1, message: 'echoing' }]);
    });
  },
);

describe('an agent with few tools', () => {
  it('lists them all by wire name', async () => {
    await using hub = await start();
    await using connected = await connect(hub, { transport: 'http', era: 'modern' }, { agent: 'narrow' });
    expect(names((await connected.client.listTools()).tools)).toEqual([
      toolNames('files', 'read.file').name,
      'many__tool_1',
      'many__tool_2',
    ]);
    expect((await call(connected.client, 'files.read.file', { text: 'x' })).isError).toBe(false);
    const { body } = await hub.request('POST', '/agents/narrow/prompt', {});
    expect(body.result.tools).toEqual(['many__tool_1', 'many__tool_2', toolNames('files', 'read.file').name]);
  });

  it('is searched, too, with a low `search_above`', async () => {
    const files = { 'zoo.toml': `[tools]\nsearch_above = 2\n${FILES['zoo.toml']}` };
    await using hub = await startHub(files, { extensions: [{ tools: TOOLS }], trustAll: true });
    await using connected = await connect(hub, { transport: 'http', era: 'legacy' }, { agent: 'narrow' });
    expect(names((await connected.client.listTools()).tools)).toEqual(['find_tools', 'call_tool']);
  });
});

const HTTP: Way = { transport: 'http', era: 'modern' };

describe('a caller that acts as an agent', () => {
  it.each([
    ['agent_zoo_get_agent', {}],
    ['agent_zoo_inject', {}],
    ['agent_zoo_inject', { format: 'structured' }],
    ['agent_zoo_query_brain_entries', {}],
  ])('cannot access another one through %s %j', async (name, args) => {
    await using hub = await start();
    await using connected = await connect(hub, HTTP, { agent: 'plain' });
    expect((await call(connected.client, name, { agentId: 'plain', ...args })).isError).toBe(false);
    expect(await failure(connected.client, name, { agentId: 'narrow', ...args })).toMatchObject({
      code: 'OUT_OF_SCOPE',
    });
    const over = await hub.request('POST', `/tools/${name}?agent=plain`, { agentId: 'narrow', ...args });
    expect(over).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  });

  it('cannot edit other agents, even with every tool', async () => {
    await using hub = await start();
    for (const id of ['first', 'second']) {
      const skills = [{ id: 'brief', name: 'Brief' }];
      await hub.request('POST', '/api/agents', { id, name: id, systemPrompt: id, tools: ['*'], skills });
    }
    await using connected = await connect(hub, HTTP, { agent: 'first' });
    for (const [name, args] of [
      ['agent_zoo_update_personality', { personality: 'Obey me.' }],
      ['agent_zoo_toggle_skill', { skillId: 'brief', enabled: false }],
      ['agent_zoo_set_current', {}],
    ] as const) {
      const direct = await failure(connected.client, name, { agentId: 'second', ...args });
      expect(direct).toMatchObject({ code: 'OUT_OF_SCOPE' });
      const through = { name, arguments: { agentId: 'second', ...args } };
      expect(await failure(connected.client, 'call_tool', through)).toMatchObject({ code: 'OUT_OF_SCOPE' });
    }
    expect((await hub.request('GET', '/api/agents/second')).body).toMatchObject({ revision: 1 });
  });

  it('sees no other agent in lists, prompts, completions and resources', async () => {
    await using hub = await start();
    await using connected = await connect(hub, HTTP, { agent: 'plain' });
    const { client } = connected;
    expect((await call(client, 'agent_zoo_list_agents')).structured).toEqual({
      agents: [{ id: 'plain', name: 'plain' }],
    });
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'agent-zoo://agents/{id}' },
      argument: { name: 'id', value: '' },
    });
    expect(completion.values).toEqual(['plain']);
  });

  it('stays within its scope with a token, whatever it asks for', async () => {
    await using hub = await start();
    const { token } = (await hub.request('POST', '/api/tokens', { agentId: 'narrow' })).body;
    const as = (method: string, path: string, body?: unknown) =>
      hub.request(method, path, body, { authorization: `Bearer ${token}` });
    expect(names((await as('GET', '/tools/list')).body.tools)).toHaveLength(3);
    expect((await as('GET', '/tools/list?agent=broad')).status).toBe(403);
    expect((await as('POST', '/tools/many__tool_1', { text: 'x' })).status).toBe(200);
    for (const path of [
      '/tools/many__tool_3',
      '/tools/many.tool_3',
      '/tools/many__tool_3?agent=narrow',
      '/tools/many__tool_1?agent=broad',
      '/tools/MANY__TOOL_1',
      '/tools/agent_zoo_inject',
    ]) {
      expect([path, (await as('POST', path, { text: 'x', agentId: 'narrow' })).status]).toEqual([path, 403]);
    }
    const found = await as('POST', '/tools/find_tools', {});
    expect(names(found.body.result.tools).toSorted()).toEqual([
      toolNames('files', 'read.file').name,
      'many__tool_1',
      'many__tool_2',
    ]);
    const nested = { name: 'many__tool_3', arguments: { text: 'x' } };
    expect((await as('POST', '/tools/call_tool', nested)).status).toBe(403);
  });

  it('gains nothing from the groups of a workspace', async () => {
    const own = { 'zoo.toml': '[tools.groups]\nsome = ["many.tool_1"]\n' };
    const files = {
      'zoo.toml':
        '[tools.groups]\nsome = ["*"]\nlocal = ["many.tool_3"]\nsearch = ["*"]\n[agents.here]\ntools = ["some"]\n',
    };
    await using hub = await startHub(files, { own, extensions: [{ tools: TOOLS }], trustAll: true });
    await hub.request('POST', '/api/agents', { id: 'mine', name: 'x', tools: ['some', 'local', 'search'] });
    const scope = async (id: string) =>
      names((await hub.request('GET', `/tools/list?agent=${id}`)).body.tools);
    expect(await scope('mine')).toEqual(['many__tool_1', 'search']);
    expect((await scope('here')).length).toBeGreaterThan(40);
  });
});

describe('diagnostics', () => {
  it('report problems of tools and groups with file and line', async () => {
    const files = {
      'zoo.toml': `
[tools.groups]
round = ["about", "search"]
about = ["round", "serch"]
get = ["search"]

[agents.a]
system_prompt = "x"
tools = [
  "many.tool_2",
  "!forms.asq",
]
`,
    };
    const twice = echo(null, 'many__tool_1');
    await using hub = await startHub(files, {
      extensions: [{ tools: [...TOOLS, twice, echo(null, 'find_tools')] }],
      trustAll: true,
    });
    const { diagnostics } = (await hub.request('GET', '/api/diagnostics')).body;
    expect(diagnostics).toMatchObject([
      {
        code: 'duplicate-tool',
        message: expect.stringContaining("'find_tools' (script) is not offered: this name is reserved"),
      },
      {
        code: 'duplicate-tool',
        message:
          "the tool 'many.tool_1' (upstream) is not offered: 'many__tool_1' (script) has the same name",
      },
      {
        code: 'group-cycle',
        line: 3,
        message: expect.stringContaining("the group 'about' refers back to it"),
      },
      { code: 'unknown-tool', line: 4, message: expect.stringMatching(/tools\.groups\.about: .*'search'/) },
      {
        code: 'duplicate-tool',
        line: 5,
        message: expect.stringContaining("the group 'get' has the name of a tool"),
      },
      {
        severity: 'warning',
        code: 'unknown-tool',
        line: 11,
        agentId: 'a',
        message: expect.stringMatching(/removes nothing.*did you mean 'forms.ask'/),
      },
    ]);
  });
});
