import type { Client } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { call, failure, stage, WAYS } from './mcp-clients.ts';
import { startHub } from '../start-hub.ts';

const FILES = {
  'zoo.toml': `
[agents.reviewer]
name = "Reviewer"
description = "Reviews code changes"
system_prompt = "Review {{what}} with {{care}}."
tools = ["agent_zoo_inject"]
arguments = [
  { name = "what", description = "What to review", required = true },
  { name = "care", description = "How", default = "great care" },
]

[agents.Odd_Name]
system_prompt = "Odd."
`,
};

async function read(client: Client, uri: string): Promise<unknown> {
  const { contents } = await client.readResource({ uri });
  expect(contents).toHaveLength(1);
  const [first] = z.array(z.looseObject({ uri: z.string(), text: z.string() })).parse(contents);
  expect(first?.uri).toBe(uri);
  return JSON.parse(first?.text ?? '');
}

describe.each(WAYS)('over $transport, $era', (way) => {
  it('describes every tool with its input and output', async () => {
    await using opened = await stage(way);
    const { tools } = await opened.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name).toSorted());
    for (const tool of tools) {
      expect(tool).toMatchObject({
        title: expect.any(String),
        description: expect.stringMatching(/.{20}/),
        outputSchema: { type: 'object' },
        _meta: { 'anthropic/alwaysLoad': true },
      });
      const described = Object.values(tool.inputSchema.properties ?? {}).map((property) =>
        z.looseObject({ description: z.string() }).safeParse(property),
      );
      expect(described.every(({ success }) => success)).toBe(true);
      const reads = /_(list_agents|get_agent|inject|query_brain_entries)$|^(search|get|sources)$/.test(
        tool.name,
      );
      expect(tool.annotations).toMatchObject({
        readOnlyHint: reads,
        destructiveHint: /_(update_\w+|delete_brain_entry)$/.test(tool.name),
        idempotentHint: !tool.name.includes('create'),
        openWorldHint: tool.name.endsWith('_inject'),
      });
    }
  });

  it('offers every agent as a prompt, and resolves it', async () => {
    await using opened = await stage(way, FILES);
    const { client } = opened;
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['Odd_Name', 'guide', 'reviewer']);
    expect(prompts[2]).toEqual({
      name: 'reviewer',
      title: 'Reviewer',
      description: 'Reviews code changes',
      arguments: [
        { name: 'what', description: 'What to review', required: true },
        { name: 'care', description: 'How', required: false },
      ],
    });
    const { messages, description, _meta } = await client.getPrompt({
      name: 'reviewer',
      arguments: { what: '$1' },
    });
    expect(description).toBe('Reviews code changes');
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Review $1 with great care.' } },
    ]);
    expect(_meta).toMatchObject({ 'agent-zoo/tools': ['agent_zoo_inject'] });
    await expect(client.getPrompt({ name: 'reviewer' })).rejects.toThrow(/arguments\.what/);
    await expect(client.getPrompt({ name: 'reviewr' })).rejects.toThrow(
      "Agent with ID 'reviewr' not found. Did you mean 'reviewer'?",
    );
  });

  it('completes the arguments of prompts and the ids in URIs', async () => {
    await using opened = await stage(way, FILES);
    const { client } = opened;
    const prompt = async (name: string, value: string) =>
      (await client.complete({ ref: { type: 'ref/prompt', name: 'reviewer' }, argument: { name, value } }))
        .completion.values;
    expect(await prompt('care', 'gr')).toEqual(['great care']);
    expect(await prompt('what', 'x')).toEqual([]);
    const { id: entryId } = z.looseObject({ id: z.string() }).parse(
      (
        await call(client, 'agent_zoo_create_brain_entry', {
          agentId: 'guide',
          type: 'note',
          content: 'x',
        })
      ).structured,
    );
    const { resourceTemplates } = await client.listResourceTemplates();
    const uriOf = (name: string) =>
      resourceTemplates.find((template) => template.name === name)?.uriTemplate ?? '';
    expect(uriOf('brain')).toBe('agent-zoo://agents/{id}/brain{?type,tags,dateFrom,dateTo,pinned}');
    const variable = async (template: string, name: string, value: string, given = {}) =>
      (
        await client.complete({
          ref: { type: 'ref/resource', uri: uriOf(template) },
          argument: { name, value },
          context: { arguments: given },
        })
      ).completion.values;
    expect(await variable('agent', 'id', 'r')).toEqual(['reviewer']);
    expect(await variable('brain', 'type', '')).toContain('decision');
    expect(await variable('brain-entry', 'entryId', '', { id: 'guide' })).toEqual([entryId]);
  });

  it('reads every documented URI', async () => {
    await using opened = await stage(way, FILES);
    const { client } = opened;
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      'agent-zoo://agents',
      'agent-zoo://agents/current',
      'agent-zoo://agents/Odd_Name',
      'agent-zoo://agents/guide',
      'agent-zoo://agents/reviewer',
    ]);
    for (const { uri } of resources) expect(await read(client, uri)).toBeTypeOf('object');
    expect(await read(client, 'agent-zoo://agents')).toMatchObject({
      agents: [{ id: 'Odd_Name' }, { id: 'guide' }, { id: 'reviewer', name: 'Reviewer', source: 'toml' }],
    });
    expect(await read(client, 'agent-zoo://agents/current')).toMatchObject({ agentId: null });
    await call(client, 'agent_zoo_set_current', { agentId: 'reviewer' });
    expect(await read(client, 'agent-zoo://agents/current')).toMatchObject({ id: 'reviewer' });
    expect(await read(client, 'agent-zoo://agents/Odd_Name')).toMatchObject({ systemPrompt: 'Odd.' });
    for (const uri of [
      'agents/nobody',
      'agents/guide/brain/none',
      'agents/guide/x',
      'agents/',
      'agents/%E0',
    ]) {
      await expect(client.readResource({ uri: `agent-zoo://${uri}` })).rejects.toThrow(/not found/i);
    }
  });

  it('adds, changes, finds and deletes memories', async () => {
    await using opened = await stage(way);
    const { client } = opened;
    const remember = async (args: object) =>
      z
        .looseObject({ id: z.string() })
        .parse(
          (await call(client, 'agent_zoo_create_brain_entry', { agentId: 'guide', ...args })).structured,
        );
    const first = await remember({ type: 'decision', content: 'Use TOML', tags: ['format', 'a b'] });
    const second = await remember({
      type: 'note',
      content: 'Ask first',
      pinned: true,
      metadata: { sessionId: 's1' },
    });
    expect(second).toMatchObject({ pinned: true, metadata: { source: 'mcp', sessionId: 's1' } });
    const found = async (filter: object) =>
      z
        .looseObject({ entries: z.array(z.looseObject({ id: z.string() })) })
        .parse(
          (await call(client, 'agent_zoo_query_brain_entries', { agentId: 'guide', ...filter })).structured,
        )
        .entries.map(({ id }) => id);
    expect(await found({})).toEqual([second.id, first.id]);
    expect(await found({ tags: ['format', 'other'] })).toEqual([first.id]);
    expect(await found({ dateTo: '2000-01-01' })).toEqual([]);
    expect(await read(client, 'agent-zoo://agents/guide/brain?pinned=true')).toMatchObject({
      entries: [{ id: second.id }],
      total: 1,
    });
    expect(await read(client, 'agent-zoo://agents/guide/brain?tags=a%20b,zzz&type=decision')).toMatchObject({
      entries: [{ id: first.id }],
    });
    await expect(client.readResource({ uri: 'agent-zoo://agents/guide/brain?typ=note' })).rejects.toThrow(
      /typ/,
    );
    const entry = { agentId: 'guide', entryId: first.id };
    await call(client, 'agent_zoo_update_brain_entry', { ...entry, pinned: true });
    expect(await read(client, `agent-zoo://agents/guide/brain/${first.id}`)).toMatchObject({
      content: 'Use TOML',
      pinned: true,
    });
    const forgotten = await call(client, 'agent_zoo_delete_brain_entry', entry);
    expect(forgotten.text).toBe(`Brain entry ${first.id} of agent guide deleted.`);
    expect(await failure(client, 'agent_zoo_delete_brain_entry', entry)).toMatchObject({
      code: 'BRAIN_ENTRY_NOT_FOUND',
    });
    const forged = { agentId: 'guide', type: 'note', content: 'x', metadata: { source: 'web' } };
    expect(await failure(client, 'agent_zoo_create_brain_entry', forged)).toMatchObject({
      code: 'INVALID_ARGUMENTS',
      message: expect.stringContaining('source'),
    });
  });

  it('offers every agent as a skill', async () => {
    await using opened = await stage(way, FILES);
    const { client } = opened;
    const Skills = z.looseObject({ skills: z.array(z.looseObject({ uri: z.string() })) });
    const { skills } = await client.request({ method: 'skills/list', params: {} }, Skills);
    expect(skills.map(({ uri }) => uri)).toEqual([
      'skill://Odd_Name/odd-name/SKILL.md',
      'skill://guide/SKILL.md',
      'skill://reviewer/SKILL.md',
    ]);
    const { contents } = await client.readResource({ uri: 'skill://reviewer/SKILL.md' });
    expect(contents[0]).toMatchObject({
      mimeType: 'text/markdown',
      text: `---
name: reviewer
description: "Reviews code changes"
---

Fill in before you start:

- \`{{what}}\`: What to review

Review {{what}} with great care.
`,
    });
    await expect(client.readResource({ uri: 'skill://Odd_Name/SKILL.md' })).rejects.toThrow(/not found/i);
  });

  it('hides the editing tools if a config says so', async () => {
    await using opened = await stage(way, { 'zoo.toml': '[mcp]\nediting = false\n' });
    const { tools } = await opened.client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('agent_zoo_toggle_skill');
    expect(tools).toHaveLength(10);
    expect(await failure(opened.client, 'agent_zoo_set_current', { agentId: 'guide' })).toMatchObject({
      code: 'TOOL_NOT_FOUND',
    });
  });
});

describe('prompts over plain HTTP', () => {
  it('are listed and resolved as over MCP', async () => {
    await using hub = await startHub(FILES);
    const { body } = await hub.request('GET', '/prompts/list');
    expect(body.prompts.map(({ name }: { name: string }) => name)).toEqual(['Odd_Name', 'guide', 'reviewer']);
    const got = await hub.request('POST', '/prompts/get', { name: 'reviewer', arguments: { what: 'it' } });
    expect(got).toMatchObject({
      status: 200,
      body: {
        messages: [{ role: 'user', content: { type: 'text', text: 'Review it with great care.' } }],
      },
    });
    expect(await hub.request('POST', '/prompts/get', { name: 'nobody' })).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    });
  });
});
