import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Client } from '@modelcontextprotocol/client';
import type { ToolDescriptor } from '../../src/contract/tool.ts';
import { campaignSize } from '../campaign.ts';
import { call, connect, type Way } from '../mcp/mcp-clients.ts';
import { gives, survivors, type World, worlds } from './random-scopes.ts';
import { type RunningHub, startHub } from '../start-hub.ts';

const HUBS = campaignSize(2, 40);
const AGENTS = 50;

const Page = z.looseObject({
  tools: z.array(z.looseObject({ name: z.string() })),
  nextCursor: z.string().optional(),
});
const Refused = z.looseObject({ code: z.string() });
const Scope = z.looseObject({ 'agent-zoo/tools': z.array(z.string()) });

/** The surfaces in turn: HTTP, the slowest, less often than the two eras of MCP. */
const ROTA = [1, 2, 1, 2, 1, 0];

/** Like `find_tools` and `call_tool`, the tools for jobs stand beside every scope. */
const isJobTool = (name: string): boolean => name.startsWith('zoo_job_');

const names = (tools: readonly { name: string }[]): string[] =>
  tools
    .map(({ name }) => name)
    .filter((name) => !isJobTool(name))
    .toSorted();

function filesOf({ groups, searchAbove, agents }: World): Record<string, string> {
  const toml = [`[tools]\nsearch_above = ${searchAbove}\n[tools.groups]`];
  for (const [group, list] of Object.entries(groups)) toml.push(`${group} = ${JSON.stringify(list)}`);
  const files: Record<string, string> = {};
  agents.forEach(({ source, tools }, index) => {
    const list = tools === null ? '' : JSON.stringify(tools);
    if (source === 'toml') {
      toml.push(`[agents.agent-${index}]\nsystem_prompt = "P"${list && `\ntools = ${list}`}`);
    }
    if (source === 'markdown') {
      files[`agents/agent-${index}.md`] = `---\nname: agent-${index}\n${list && `tools: ${list}\n`}---\nP\n`;
    }
  });
  return { ...files, 'zoo.toml': `${toml.join('\n')}\n` };
}

/** Lists, finds and calls as one agent, over one surface. */
interface Door {
  listed(): Promise<string[]>;
  found(query: string): Promise<string[]>;
  /** Whether the call was allowed; its result does not matter. */
  lets(name: string): Promise<boolean>;
}

function overMcp(client: Client): Door {
  const lets = async (name: string, args: Record<string, unknown>): Promise<boolean> => {
    const { isError, text } = await call(client, name, args);
    return !isError || isLetIn(JSON.parse(text));
  };
  let turn = 0;
  const found = async (query: string): Promise<string[]> => {
    const all: string[] = [];
    let cursor: string | undefined;
    do {
      const args = { query, limit: 50, ...(cursor !== undefined && { cursor }) };
      const page = Page.parse((await call(client, 'find_tools', args)).structured);
      all.push(...names(page.tools));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return all.toSorted();
  };
  return {
    found,
    async listed() {
      const listed = names((await client.listTools()).tools);
      return listed.join() === 'call_tool,find_tools' ? found('') : listed;
    },
    lets: (name) => ((turn += 1) % 2 ? lets(name, {}) : lets('call_tool', { name, arguments: {} })),
  };
}

function overHttp(hub: RunningHub, id: string): Door {
  const post = (name: string, body: unknown) =>
    hub.request('POST', `/tools/${encodeURIComponent(name)}?agent=${id}`, body);
  return {
    listed: async () => names((await hub.request('GET', `/tools/list?agent=${id}`)).body.tools),
    found: async (query) => names((await post('find_tools', { query, limit: 50 })).body.result.tools),
    lets: async (name) => {
      const { status, body } = await post(name, {});
      return status < 400 || (status !== 403 && body.error.details?.name !== name);
    },
  };
}

const REFUSALS = ['OUT_OF_SCOPE', 'TOOL_NOT_FOUND'];
const isLetIn = (error: unknown): boolean => !REFUSALS.includes(Refused.parse(error).code);

async function checkAgent(
  hub: RunningHub,
  operator: Client,
  world: World,
  index: number,
  all: ToolDescriptor[],
) {
  const id = `agent-${index}`;
  const declared = world.agents[index]?.tools ?? null;
  // Mostly over streams, which are fast, and some over HTTP.
  const transport = index % 25 === 0 ? 'http' : 'streams';
  const ways: Way[] = [
    { transport, era: 'legacy' },
    { transport, era: 'modern' },
  ];
  const http = overHttp(hub, id);
  const [scope, resolved, injected] = await Promise.all([
    http.listed(),
    hub.request('POST', `/agents/${id}/prompt`, {}),
    operator.callTool({ name: 'agent_zoo_inject', arguments: { agentId: id } }),
  ]);
  const say = `${id} ${JSON.stringify(declared)}`;
  if (!world.cyclic) {
    const expected = names(all.filter((each) => gives(declared, each, world.groups)));
    expect(scope, `${say}: what the list means`).toEqual(expected);
  }
  expect(resolved.body.result.tools.toSorted(), `${say}: the prompt over HTTP`).toEqual(scope);
  expect(Scope.parse(injected._meta)['agent-zoo/tools'].toSorted(), `${say}: injected`).toEqual(scope);

  const doors = [http];
  const connections = await Promise.all(ways.map((way) => connect(hub, way, { agent: id })));
  try {
    for (const { client } of connections) {
      const door = overMcp(client);
      doors.push(door);
      expect(await door.listed(), `${say}: listed over MCP`).toEqual(scope);
      const prompt = await client.getPrompt({ name: id });
      expect(Scope.parse(prompt._meta)['agent-zoo/tools'].toSorted(), `${say}: the prompt`).toEqual(scope);
    }
    const door = (turn: number): Door => doors[ROTA[turn % ROTA.length] ?? 0] ?? http;
    expect(await door(index).found(''), `${say}: found without words`).toEqual(scope);
    const some = all.filter((_, at) => at % 6 === index % 6);
    await Promise.all([
      ...some.map(async ({ name }, at) => {
        const found = await door(at + index).found(name);
        expect(found.includes(name), `${say}: ${name} found`).toBe(scope.includes(name));
        expect(
          found.filter((each) => !scope.includes(each)),
          `${say}: found beyond`,
        ).toEqual([]);
      }),
      ...all.map(async ({ name, displayName }, at) => {
        const written = (at + index) % 2 ? name : displayName;
        // Several tools may share a name; the wire name is unique.
        const several = all.filter((each) => [each.name, each.displayName].includes(written)).length > 1;
        const asked = several ? name : written;
        const called = await door(at + index).lets(asked);
        expect(called, `${say}: ${asked} called`).toBe(scope.includes(name));
      }),
    ]);
  } finally {
    for (const connection of connections) await connection[Symbol.asyncDispose]();
  }
}

async function checkWorld(world: World): Promise<void> {
  const files = filesOf(world);
  // Groups of a workspace mean nothing to the user's own agents, so both configs have them.
  const own = { 'zoo.toml': files['zoo.toml']?.replace(/^\[agents[^]*/m, '') ?? '' };
  await using hub = await startHub(files, { own, extensions: [{ tools: world.tools }], trustAll: true });
  for (const [index, { source, tools }] of world.agents.entries()) {
    if (source !== 'editor') continue;
    const agent = { id: `agent-${index}`, name: 'x', systemPrompt: 'P', tools };
    expect((await hub.request('POST', '/api/agents', agent)).status).toBe(201);
  }
  const listed: ToolDescriptor[] = (await hub.request('GET', '/tools/list')).body.tools;
  const offered = listed.filter(({ name }) => !isJobTool(name));
  const builtin = offered.filter(({ origin }) => origin === 'builtin');
  const all = survivors([...builtin, ...world.tools.map(({ descriptor }) => descriptor)]);
  expect(names(offered)).toEqual(names(all));
  await using operator = await connect(hub, { transport: 'streams', era: 'modern' });
  for (const index of world.agents.keys()) await checkAgent(hub, operator.client, world, index, all);
}

describe('for every agent and every tool', () => {
  it(`the listed, found, callable and prompted tools are one set (${HUBS * AGENTS} agents)`, async () => {
    await fc.assert(fc.asyncProperty(worlds(AGENTS), checkWorld), { numRuns: HUBS, endOnFailure: true });
  }, 600_000);
});
