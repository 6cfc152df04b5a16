import { afterAll, describe, expect, test } from 'vitest';
import { noEngines } from '../../../test/scripts/no-engines.ts';
import { tempLayers } from '../../../test/temp-layers.ts';
import { emptyHost } from '../../../test/scripts/script-file.ts';
import { ZooError } from '../../contract/errors.ts';
import { approveTrust } from '../../platform/trust/trust.ts';
import { createSandbox } from '../../scripting/create-sandbox.ts';
import { createModuleThreads } from '../../scripting/modules/module-threads.ts';
import type { LayerOptions } from '../layers/layer.ts';

const engines = { scripts: createSandbox(), modules: createModuleThreads() };
afterAll(() => Promise.all([engines.scripts.close(), engines.modules.close()]));

/** A workspace that can be reopened, as if by successive processes. */
async function setUp(files: Record<string, string>) {
  const layers = await tempLayers(files, { engines, trustAll: true });
  async function open(options: Partial<LayerOptions> = {}) {
    const opened = await layers.open(options);
    await opened.close();
    const { agents, diagnostics, trust } = opened.current();
    return {
      trust,
      names: agents.map(({ agent }) => agent.name),
      messages: diagnostics.map(({ message }) => message),
      hints: diagnostics.map(({ hint }) => hint),
      async system(id: string) {
        const program = agents.find(({ agent }) => agent.id === id)?.program;
        const { signal } = new AbortController();
        return (await program?.run({ args: {}, host: emptyHost, signal }))?.value;
      },
    };
  }
  return {
    ...layers,
    layer: layers.open,
    open,
    approve: async ({ trust }: Awaited<ReturnType<typeof open>>) =>
      approveTrust(layers.database, trust, trust.hash, new Date()),
  };
}

const config = '[agents.script.a]\npath = "agents/a.lua"\n[agents.module.m]\npath = "agents/m.ts"\n';
const files = {
  'zoo.toml': config,
  'agents/a.lua':
    'local words = require("words")\nreturn { name = "A", resolve = function() return { system = words } end }',
  'agents/words.lua': 'return "good"',
  'agents/m.ts': 'export default { name: "M", resolve: () => ({ system: "good" }) };',
};

describe('the description of a program', () => {
  test('is cached until something changes', async () => {
    await using it = await setUp(files);
    expect(await it.open()).toMatchObject({ names: ['A', 'M'], messages: [] });
    expect(await it.open({ engines: noEngines })).toMatchObject({ names: ['A', 'M'], messages: [] });
    expect(await (await it.open()).system('a')).toEqual({ system: 'good' });

    await it.folder.write('agents/words.lua', 'return "better"');
    expect((await it.open({ engines: noEngines })).messages).toContain('Error: nothing runs in this test');
    expect(await (await it.open()).system('a')).toEqual({ system: 'better' });
  });

  test('is read again if it depends on a variable or on a list of files', async () => {
    await using it = await setUp({
      'zoo.toml':
        '[agents.script.a]\npath = "agents/a.lua"\nallow_env = ["WHO"]\n[agents.script.b]\npath = "agents/b.lua"\n',
      'agents/a.lua': 'return { name = env.get("WHO"), resolve = function() return { system = "" } end }',
      'agents/b.lua': 'return { name = "b" .. #fs.list(), resolve = function() return { system = "" } end }',
    });
    const named = async (WHO: string) => (await it.open({ env: { WHO } })).names;
    expect(await named('Ada')).toEqual(['Ada', 'b2']);
    await it.folder.write('agents/notes.txt', '');
    expect(await named('Grace')).toEqual(['Grace', 'b3']);
  });
});

test('a script that timed out while loading is reported and retried', async () => {
  await using it = await setUp(files);
  const slow = new ZooError('timeout', 'a.lua timed out after 1 s while loading');
  let asked = 0;
  const layer = await it.layer({
    watch: true,
    engines: {
      ...engines,
      scripts: {
        ...engines.scripts,
        describe: (script) => {
          asked += 1;
          return asked === 1 ? Promise.reject(slow) : engines.scripts.describe(script);
        },
      },
    },
  });
  const names = () => layer.current().agents.map(({ agent }) => agent.name);
  expect(names()).toEqual(['M']);
  expect(layer.current().diagnostics).toMatchObject([
    {
      message: expect.stringContaining('timed out after 1 s'),
      hint: expect.stringContaining('retried'),
    },
  ]);
  await expect.poll(names).toEqual(['A', 'M']);
  expect(layer.current().diagnostics).toEqual([]);
  await layer.close();
});

describe('a program that is broken when the hub starts', () => {
  test('in Lua: its last good version is served, including required files', async () => {
    await using it = await setUp(files);
    await it.open();
    await it.folder.write('agents/a.lua', 'return {');
    await it.folder.write('agents/words.lua', 'return "bad"');
    const layer = await it.open();
    expect(await layer.system('a')).toEqual({ system: 'good' });
    expect(layer.hints.join()).toContain('Serving the last good version of a');
  });

  test('in Lua, with approval: only approved code is served', async () => {
    await using it = await setUp(files);
    const first = await it.open({ trustAll: false });
    await it.approve(first);
    await it.open({ trustAll: false });
    await it.folder.write('agents/a.lua', 'return {');
    expect(await it.open({ trustAll: false })).toMatchObject({ trust: { state: 'changed' } });
    await it.approve(await it.open({ trustAll: false }));
    expect(await (await it.open({ trustAll: false })).system('a')).toEqual({ system: 'good' });

    await using never = await setUp(files);
    await never.open();
    await never.folder.write('agents/a.lua', 'return {');
    await never.approve(await never.open({ trustAll: false }));
    await expect((await never.open({ trustAll: false })).system('a')).rejects.toThrow('broken since');
  });

  test('as a module: it is listed as before, with the time when it broke', async () => {
    await using it = await setUp(files);
    await it.open();
    await it.folder.write('agents/m.ts', 'export default {');
    const layer = await it.open();
    expect(layer.names).toEqual(['A', 'M']);
    expect(layer.hints.join()).toMatch(/m is listed as of .*, but cannot be resolved/);
    await expect(layer.system('m')).rejects.toThrow(/broken since 2\d.*: m\.ts:1: SyntaxError/);
  });
});
