import { join } from 'node:path';
import { expect, it } from 'vitest';
import { noEngines } from '../../../test/scripts/no-engines.ts';
import { tempFolder } from '../../../test/temp-folder.ts';
import { openSqlite } from '../../platform/store/databases/sqlite.ts';
import { createSecretMask } from '../../platform/text/secret-mask.ts';
import { createLayer } from './layer.ts';
import { eventsBetween } from './layer-events.ts';

const agent = (id: string, prompt: string): string => `[agents.${id}]\nsystem_prompt = "${prompt}"\n`;

it('reports created, changed and deleted agents, tools and diagnostics, but not moved lines', async () => {
  await using home = await tempFolder();
  await using folder = await tempFolder({ 'zoo.toml': agent('a', 'A') + agent('b', 'B') });
  const database = await openSqlite(join(home.path, 'zoo.db'), { threads: false });
  const layer = await createLayer({
    owner: 'w',
    folder: folder.path,
    configFile: null,
    serving: false,
    database,
    env: { ZOO_CONFIG_DIR: join(home.path, 'config') },
    trustAll: false,
    engines: noEngines,
    secrets: createSecretMask(),
    stored: null,
    entriesToApprove: () => [],
    watch: false,
  });
  const edit = async (text: string) => {
    const before = layer.current();
    await folder.write('zoo.toml', text);
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
  await layer.close();
  await database.close();
});
