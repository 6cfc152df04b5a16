import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it, vi } from 'vitest';
import { call, connect, stage, type Way, WAYS } from './mcp-clients.ts';
import { startHub } from '../start-hub.ts';
import { PATIENCE } from '../patience.ts';
import { someRoundWithin } from '../some-round-within.ts';

/** Notes what a client is told: the names of lists, and the addresses of resources. */
async function listen(client: Client, { era }: Way, uris: string[] = []): Promise<string[]> {
  const heard: string[] = [];
  client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('tools'));
  client.setNotificationHandler('notifications/prompts/list_changed', () => void heard.push('prompts'));
  client.setNotificationHandler('notifications/resources/list_changed', () => void heard.push('resources'));
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void heard.push(params.uri),
  );
  if (era === 'modern') {
    await client.listen({
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
      ...(uris.length > 0 && { resourceSubscriptions: uris }),
    });
  } else {
    for (const uri of uris) await client.subscribeResource({ uri });
  }
  return heard;
}

describe.each(WAYS)('over $transport, $era', (way) => {
  it('announces agents that are created in the editor or in a file', async () => {
    await using opened = await stage(way, { 'zoo.toml': '' });
    const { client, hub } = opened;
    const heard = await listen(client, way);
    await hub.request('POST', '/api/agents', { name: 'Fresh' });
    await vi.waitFor(() => expect(heard).toEqual(['tools', 'prompts', 'resources']), PATIENCE);
    heard.length = 0;
    await writeFile(join(hub.folder, 'zoo.toml'), '[agents.filed]\nsystem_prompt = "x"\n');
    await vi.waitFor(() => expect(heard).toContain('prompts'), PATIENCE);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['filed', 'fresh', 'guide']);
  });

  it('announces tools that a config hides', async () => {
    await using opened = await stage(way, { 'zoo.toml': '' });
    const heard = await listen(opened.client, way);
    await writeFile(join(opened.hub.folder, 'zoo.toml'), '[mcp]\nediting = false\n');
    await vi.waitFor(() => expect(heard).toContain('tools'), PATIENCE);
    expect((await opened.client.listTools()).tools).toHaveLength(10);
  });

  it('announces synced documents', async () => {
    const config = '[connectors.filesystem.docs]\nroot = "docs"\n';
    await using opened = await stage(way, { 'zoo.toml': config, 'docs/a.md': '# One\n\nBefore.\n' });
    const { client, hub } = opened;
    const known = async () => (await hub.request('GET', '/api/knowledge/documents')).body.documents;
    await vi.waitFor(async () => expect(await known()).toHaveLength(1), PATIENCE);
    const uri = `agent-zoo://documents/${(await known())[0].id}`;
    expect((await client.listResources()).resources.map((each) => each.uri)).toContain(uri);
    const heard = await listen(client, way, [uri]);
    await writeFile(join(hub.folder, 'docs/a.md'), '# One\n\nAfter.\n');
    await vi.waitFor(() => expect(heard).toEqual(expect.arrayContaining(['resources', uri])), PATIENCE);
    await vi.waitFor(async () => {
      expect(JSON.stringify(await client.readResource({ uri }))).toContain('After.');
    }, PATIENCE);
  });

  it('reports changes only of subscribed resources', async () => {
    await using opened = await stage(way);
    const { client, hub } = opened;
    const brain = 'agent-zoo://agents/guide/brain?type=note';
    const current = 'agent-zoo://agents/current';
    const skill = 'skill://guide/SKILL.md';
    const heard = await listen(client, way, [brain, skill, current, 'agent-zoo://agents/other']);
    const remember = { agentId: 'guide', type: 'note', content: 'x' };
    await call(client, 'agent_zoo_create_brain_entry', remember);
    await vi.waitFor(() => expect(heard).toEqual([brain, skill]), PATIENCE);
    await hub.request('PUT', '/api/current', { agentId: 'guide' });
    await vi.waitFor(() => expect(heard).toEqual([brain, skill, current]), PATIENCE);
  });

  it('reports no changes of other agents to a client of one agent', async () => {
    await using hub = await startHub();
    await using connected = await connect(hub, way, { agent: 'guide' });
    const heard = await listen(connected.client, way);
    await hub.request('POST', '/api/agents', { name: 'Other' });
    await hub.request('PATCH', '/api/agents/guide', { description: 'Changed' });
    await vi.waitFor(() => expect(heard).toEqual(['tools', 'prompts', 'resources']), PATIENCE);
  });
});

describe('changes', () => {
  it.each(WAYS)('are reported within a second: $transport, $era', async (way) => {
    await using opened = await stage(way, { 'zoo.toml': '' });
    const heard = await listen(opened.client, way);
    await someRoundWithin(1000, async (n) => {
      heard.length = 0;
      await writeFile(join(opened.hub.folder, 'zoo.toml'), `[agents.a${n}]\nsystem_prompt = "x"\n`);
      await vi.waitFor(
        () => expect(heard).toEqual(expect.arrayContaining(['prompts', 'resources'])),
        PATIENCE,
      );
    });
  });

  it('are batched', async () => {
    const way = { transport: 'http', era: 'legacy' } as const;
    await using opened = await stage(way);
    const heard = await listen(opened.client, way);
    const names = Array.from({ length: 50 }, (_, index) => `Agent ${index}`);
    const startedAt = performance.now();
    await Promise.all(names.map((name) => opened.hub.request('POST', '/api/agents', { name })));
    await vi.waitFor(() => expect(heard).toContain('resources'), PATIENCE);
    await new Promise((resolve) => setTimeout(resolve, 300));
    // A batch takes 40 ms and announces three lists; a slow machine needs more batches for the same agents.
    const batches = (performance.now() - startedAt) / 40 + 1;
    expect(heard.length).toBeLessThanOrEqual(3 * batches);
  });
});
