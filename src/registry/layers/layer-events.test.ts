import { expect, test } from 'vitest';
import { tempLayers } from '../../../test/temp-layers.ts';
import { eventsBetween } from './layer-events.ts';

const agent = (id: string, prompt: string): string => `[agents.${id}]\nsystem_prompt = "${prompt}"\n`;

test('reports created, changed and deleted agents, tools and diagnostics, but not moved lines', async () => {
  await using it = await tempLayers({ 'zoo.toml': agent('a', 'A') + agent('b', 'B') });
  const layer = await it.open();
  const edit = async (text: string) => {
    const before = layer.current();
    await it.folder.write('zoo.toml', text);
    await layer.reload();
    return eventsBetween('w', layer.current(), before);
  };
  const all = { workspace: 'w', agentId: null };

  expect(await edit(`# one line more\n${agent('a', 'A')}${agent('b', 'B')}`)).toEqual([]);
  expect(await edit(agent('b', 'B2') + agent('c', 'C'))).toMatchObject([
    { type: 'agent-deleted', workspace: 'w', agentId: 'a' },
    { type: 'agent-changed', agentId: 'b', data: { source: 'toml', changes: ['systemPrompt'] } },
    { type: 'agent-created', agentId: 'c' },
  ]);
  expect(await edit(`${agent('b', 'B2')}${agent('c', 'C')}[tools.groups]\nreaders = ["search"]\n`)).toEqual([
    { type: 'tools-changed', ...all },
  ]);
  expect((await edit('[agents.')).map(({ type }) => type)).toContain('diagnostics-changed');
});
