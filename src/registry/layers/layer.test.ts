import { symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempLayers } from '../../../test/temp-layers.ts';
import { tempFolder } from '../../../test/temp-folder.ts';
import { approveTrust } from '../../platform/trust/trust.ts';
import type { LayerOptions } from './layer.ts';

async function setUp(files: Record<string, string> = {}) {
  const layers = await tempLayers(files);
  return {
    ...layers,
    async open(options: Partial<LayerOptions> = {}) {
      const layer = await layers.open(options);
      return Object.assign(layer, {
        ids: () => layer.current().agents.map(({ agent }) => agent.id),
        prompt: (id: string) =>
          layer.current().agents.find(({ agent }) => agent.id === id)?.agent.systemPrompt,
        codes: () => layer.current().diagnostics.map(({ code }) => code),
      });
    },
  };
}

const toml = (...agents: [id: string, prompt: string][]) =>
  agents.map(([id, prompt]) => `[agents.${id}]\nsystem_prompt = "${prompt}"\n`).join('');
const markdown = (name: string, prompt: string) => `---\nname: ${name}\n---\n${prompt}\n`;

describe('served agents', () => {
  test('come from the config and the Markdown folders, with their owner', async () => {
    await using it = await setUp({
      'zoo.toml': toml(['a', 'A']),
      '.claude/agents/b.md': markdown('b', 'B'),
      'agents/c.md': markdown('c', 'C'),
    });
    const layer = await it.open();
    expect(layer.ids()).toEqual(['a', 'b', 'c']);
    expect(layer.current().agents.every(({ owner, trusted }) => owner === 'w' && trusted)).toBe(true);
    expect(layer.current().diagnostics).toEqual([]);
    expect(layer.current().trust.state).toBe('nothing-to-trust');
  });

  test('without a config, a workspace reads only .claude/agents, and the user folder both', async () => {
    await using it = await setUp({
      '.claude/agents/b.md': markdown('b', 'B'),
      'agents/c.md': markdown('c', 'C'),
    });
    expect((await it.open()).ids()).toEqual(['b']);
    const own = await it.open({ owner: null });
    expect(own.ids()).toEqual(['b', 'c']);
    expect(own.current().trust.state).toBe('own');
  });

  test('[markdown] folders decides where to look', async () => {
    await using it = await setUp({
      'zoo.toml': '[markdown]\nfolders = ["people", "none"]\n',
      'people/p.md': markdown('p', 'P'),
      'agents/c.md': markdown('c', 'C'),
    });
    const layer = await it.open();
    expect(layer.ids()).toEqual(['p']);
    expect(layer.current().diagnostics).toMatchObject([
      { severity: 'note', code: 'unreadable', workspace: 'w' },
    ]);
  });

  test('of two files with the same id, the first by path is used and both are reported', async () => {
    await using it = await setUp({
      '.claude/agents/a.md': markdown('x', 'first'),
      '.claude/agents/b.md': markdown('x', 'second'),
    });
    const layer = await it.open();
    expect(layer.prompt('x')).toBe('first');
    const [diagnostic] = layer.current().diagnostics;
    expect(diagnostic).toMatchObject({
      code: 'duplicate-id',
      agentId: 'x',
      file: join(it.folder.path, '.claude/agents/b.md'),
    });
    expect(diagnostic?.message).toContain('a.md');
    expect(diagnostic?.message).toContain('b.md');
  });

  test('an explicit config is used even if its folder has another one', async () => {
    await using it = await setUp({
      'zoo.toml': toml(['a', 'A']),
      'ctx.toml': toml(['b', 'B']),
      'team.toml': toml(['c', 'C']),
    });
    expect((await it.open()).ids()).toEqual(['a']);
    expect((await it.open({ configFile: join(it.folder.path, 'ctx.toml') })).ids()).toEqual(['b']);
    expect((await it.open({ configFile: join(it.folder.path, 'team.toml') })).ids()).toEqual(['c']);
    const missing = await it.open({ configFile: join(it.folder.path, 'none.toml') });
    expect(missing.codes()).toEqual(['unreadable']);
  });

  test('a missing folder has no agents and no diagnostics', async () => {
    await using it = await setUp();
    const layer = await it.open({ owner: null, folder: join(it.folder.path, 'not/yet'), watch: true });
    expect(layer.current()).toMatchObject({ agents: [], diagnostics: [] });
  });
});

describe('the last good version', () => {
  test('of a broken config is served, also after a restart', async () => {
    await using it = await setUp({ 'zoo.toml': toml(['a', 'A'], ['b', 'B']) });
    const layer = await it.open();
    await it.folder.write('zoo.toml', `${toml(['a', 'changed'])}[agents.b\n`);
    await layer.reload();
    expect([layer.prompt('a'), layer.prompt('b')]).toEqual(['A', 'B']);
    expect(layer.current().diagnostics).toMatchObject([
      {
        severity: 'error',
        code: 'syntax',
        line: 3,
        hint: 'Serving the last good version of its 2 agents: a, b.',
      },
    ]);
    await layer.close();
    expect((await it.open()).ids()).toEqual(['a', 'b']);
  });

  test('of an invalid entry is served together with the valid ones', async () => {
    await using it = await setUp({ 'zoo.toml': toml(['a', 'A'], ['b', 'B']) });
    const layer = await it.open();
    const { updatedAt } = layer.current().agents[1]?.agent ?? {};
    await it.folder.write('zoo.toml', `${toml(['a', 'changed'])}[agents.b]\ntools = 3\n`);
    await layer.reload();
    expect([layer.prompt('a'), layer.prompt('b')]).toEqual(['changed', 'B']);
    const [diagnostic] = layer.current().diagnostics;
    expect(diagnostic).toMatchObject({ code: 'invalid-value', line: 4, agentId: 'b' });
    expect(diagnostic?.hint).toBe(`Serving the last good version of b, from ${updatedAt}.`);
  });

  test('of a broken Markdown file is served, also after a restart', async () => {
    await using it = await setUp({ '.claude/agents/m.md': markdown('mona', 'M') });
    const layer = await it.open();
    await it.folder.write('.claude/agents/m.md', '---\nname: [\n---\n');
    await layer.reload();
    expect(layer.prompt('mona')).toBe('M');
    expect(layer.current().diagnostics).toMatchObject([{ code: 'syntax', agentId: 'mona' }]);
    await layer.close();
    expect((await it.open()).prompt('mona')).toBe('M');
  });

  test('keeps the Markdown folders of a broken config', async () => {
    await using it = await setUp({
      'zoo.toml': '[markdown]\nfolders = ["people"]\n',
      'people/p.md': markdown('p', 'P'),
    });
    const layer = await it.open();
    for (const broken of ['[markdown', '[still']) {
      await it.folder.write('zoo.toml', broken);
      await layer.reload();
      expect(layer.ids()).toEqual(['p']);
    }
  });

  test('of a removed agent is deleted', async () => {
    await using it = await setUp({
      'zoo.toml': toml(['a', 'A'], ['b', 'B']),
      '.claude/agents/m.md': markdown('m', 'M'),
    });
    const layer = await it.open();
    await it.folder.write('zoo.toml', toml(['a', 'A']));
    await it.folder.write('.claude/agents/m.md', markdown('renamed', 'M'));
    await layer.reload();
    await it.folder.write('zoo.toml', '[');
    await it.folder.write('.claude/agents/m.md', '---\nname: [\n---\n');
    await layer.reload();
    expect(layer.ids()).toEqual(['a', 'renamed']);
    await layer.close();
    expect((await it.open()).ids()).toEqual(['a', 'renamed']);
  });

  test('is served from memory if the store cannot be written', async () => {
    await using it = await setUp({ 'zoo.toml': toml(['a', 'A']) });
    const failing = { ...it.database, transaction: () => Promise.reject(new Error('disk full')) };
    const layer = await it.open({ database: failing });
    await it.folder.write('zoo.toml', '[');
    await layer.reload();
    expect(layer.prompt('a')).toBe('A');
  });

  test('saving a file does not change its unmodified agents', async () => {
    await using it = await setUp({ 'zoo.toml': toml(['a', 'A'], ['b', 'B']) });
    const file = join(it.folder.path, 'zoo.toml');
    await utimes(file, new Date('2026-01-01'), new Date('2026-01-01'));
    const layer = await it.open();
    await it.folder.write('zoo.toml', toml(['a', 'A'], ['b', 'changed']));
    await utimes(file, new Date('2026-02-02'), new Date('2026-02-02'));
    await layer.reload();
    const times = layer.current().agents.map(({ agent }) => agent.updatedAt.slice(0, 10));
    expect(times).toEqual(['2026-01-01', '2026-02-02']);
  });
});

describe('trust', () => {
  const runs = '[tools.mcp.x]\nurl = "https://example.com"\nheaders = { A = "${KEY}" }\n';
  const env = { KEY: 'secret' };

  test('an untrusted workspace is data: its agents are served and no variable is expanded', async () => {
    await using it = await setUp({ 'zoo.toml': `${toml(['a', 'A'])}${runs}` });
    const layer = await it.open({ env });
    expect(layer.ids()).toEqual(['a']);
    expect(layer.current()).toMatchObject({ expanded: null, trust: { state: 'untrusted', workspace: 'w' } });
    expect(layer.current().diagnostics.at(-1)).toMatchObject({
      severity: 'warning',
      code: 'untrusted',
      workspace: 'w',
    });
    expect(layer.codes()).not.toContain('unset-variable');
  });

  test('approval expands variables, but they are shown as written', async () => {
    await using it = await setUp({ 'zoo.toml': runs });
    const layer = await it.open({ env });
    const { trust } = layer.current();
    await approveTrust(it.database, trust, trust.hash, new Date());
    await layer.reload();
    const { expanded, config, trust: after } = layer.current();
    expect(after.state).toBe('trusted');
    expect(expanded?.tools?.mcp?.x?.headers).toEqual({ A: 'secret' });
    expect(JSON.stringify([config.config, after])).not.toContain('secret');
    expect((await it.open({ env: {}, trustAll: true })).codes()).toContain('unset-variable');
  });

  test('agents behind a link out of the workspace need approval', async () => {
    await using elsewhere = await tempFolder({ 'o.md': markdown('o', 'O') });
    await using it = await setUp({ '.claude/x': '' });
    await symlink(elsewhere.path, join(it.folder.path, '.claude/agents'));
    const layer = await it.open();
    expect(layer.ids()).toEqual([]);
    const { trust } = layer.current();
    expect(trust.runnables).toMatchObject([{ kind: 'outside-folder', detail: elsewhere.path }]);
    await approveTrust(it.database, trust, trust.hash, new Date());
    await layer.reload();
    expect(layer.ids()).toEqual(['o']);
  });

  test("the user's own config directory stays trusted when opened as a workspace", async () => {
    await using it = await setUp({ 'zoo.toml': runs });
    const layer = await it.open({ env: { ...env, ZOO_CONFIG_DIR: it.folder.path } });
    expect(layer.current().trust.state).toBe('own');
  });
});
