import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempHome } from '../../../../../test/zoo-command.ts';

type Home = Awaited<ReturnType<typeof tempHome>>;

const rich = {
  name: 'Größe: "Prüfer"',
  description: "Reviews, that's all",
  version: '2.0',
  mode: 'tools',
  systemPrompt: "You're here.\n\n---\n\n'''quoted''' \\ and {{what}}",
  tools: ['search'],
  sources: ['docs'],
  model: 'some-model',
  toolPermission: 'never',
  skillCategories: [{ id: 'style', name: 'Style', description: '' }],
  skills: [
    {
      id: 'tidy',
      name: 'Tidy',
      description: 'Line one\nline two',
      enabled: false,
      categoryId: 'style',
      requires: ['plain'],
    },
    { id: 'plain', name: 'Plain', description: '', enabled: true, categoryId: 'general' },
  ],
  arguments: [{ name: 'what', description: 'What', required: true }],
  context: [{ query: 'conventions', limit: 3 }],
  contextRefs: ['README.md'],
  publishedTools: [
    {
      id: 'check',
      name: 'check',
      description: 'Checks',
      prompt: 'Check {path}',
      parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      output: { type: 'object', properties: { clean: { type: 'boolean' } }, required: ['clean'] },
      annotations: { readOnlyHint: true, idempotentHint: false },
      cache: 1.5,
      context: 'shared',
      version: '2.0.0',
      requires: ['search', 'docs'],
    },
  ],
  metadata: { team: 'core', nested: { on: true } },
};

const authored = async (home: Home, id: string): Promise<Record<string, unknown>> => {
  const { createdAt, updatedAt, revision, ...rest } = JSON.parse(
    (await home.inProcess(['agent', 'show', id, '--json'])).out,
  );
  expect([createdAt, updatedAt, revision]).not.toContain(undefined);
  return rest;
};

test.each(['json', 'md', 'toml'])('an agent survives export and import as %s', async (format) => {
  await using home = await tempHome({ 'rich.json': JSON.stringify({ id: 'checker', ...rich }) });
  expect(await home.inProcess(['agent', 'import', join(home.work, 'rich.json')])).toMatchObject({
    code: 0,
    err: '',
  });
  const before = await authored(home, 'checker');
  expect(before).toMatchObject({ ...rich, skillCategories: expect.arrayContaining(rich.skillCategories) });
  const file = join(home.work, `out.${format}`);
  expect(await home.inProcess(['agent', 'export', 'checker', '-o', file])).toMatchObject({ code: 0 });
  const replaced = await home.inProcess(['agent', 'import', file, '--on-conflict', 'replace']);
  expect(replaced).toMatchObject({ code: 0, err: '' });
  expect(await authored(home, 'checker')).toEqual(before);
});

test.each([
  ['toml', '[agents.tiny]\nsystem_prompt = "Be tiny."\ndescription = "Tiny"\n'],
  ['md', '---\nname: tiny\ndescription: Tiny\n---\n\nBe tiny.\n'],
])('an agent exported as %s has no fields that its file does not have', async (format, text) => {
  await using home = await tempHome({
    'zoo.toml': '',
    [format === 'md' ? 'agents/tiny.md' : 'zoo.toml']: text,
  });
  const { out } = await home.inProcess(['agent', 'export', 'tiny', '--format', format]);
  expect(out).toBe(text);
  const file = join(home.work, `copy.${format}`);
  await home.inProcess(['agent', 'export', 'tiny', '-o', file]);
  await home.inProcess(['agent', 'import', file, '--as', 'copy']);
  const { id: _id, source: _source, origin: _origin, ...before } = await authored(home, 'tiny');
  expect(await authored(home, 'copy')).toMatchObject(before);
});

test('a folder without agents is a failure', async () => {
  await using home = await tempHome({ 'notes/todo.txt': 'milk' });
  expect(await home.inProcess(['agent', 'import', join(home.work, 'notes')])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/no agents in .*notes[^]*\.toml, \.json or \.md/),
  });
});

test('a taken id fails, is renamed or is replaced, as requested', async () => {
  await using home = await tempHome({ 'a.md': '---\nname: guide\ndescription: Mine\n---\nHello\n' });
  const file = join(home.work, 'a.md');
  const refused = await home.inProcess(['agent', 'import', file]);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('--on-conflict rename') });
  expect(await home.inProcess(['agent', 'import', file, '--on-conflict', 'rename'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('guide-2'),
  });
  expect(await home.inProcess(['agent', 'import', file, '--as', 'mine'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('mine'),
  });
  await home.inProcess(['agent', 'rm', 'guide']);
  expect(await home.inProcess(['agent', 'import', file, '--on-conflict', 'replace'])).toMatchObject({
    code: 0,
  });
  expect(await authored(home, 'guide')).toMatchObject({ systemPrompt: 'Hello' });
});

test('valid agents are imported, and invalid ones reported with file and line', async () => {
  await using home = await tempHome({
    'some.toml':
      '[agents.good]\nsystem_prompt = "Good"\nsytem = 1\n\n[agents.bad]\nmode = "sideways"\n\n[server]\nbind = "127.0.0.1:1"\n',
    'broken.json': '{"name": ',
    'notes.md': '# Just notes\n',
  });
  const { code, out, err } = await home.inProcess([
    'agent',
    'import',
    ...['some.toml', 'broken.json', 'notes.md'].map((name) => join(home.work, name)),
  ]);
  expect(code).toBe(1);
  expect(out).toBe('Imported good (good), revision 1\n');
  expect(err).toMatch(/some\.toml:3: warning: .*sytem/);
  expect(err).toMatch(/some\.toml:\d: error: .*mode/);
  expect(err).toContain('some.toml: note: [server] is not an agent');
  expect(err).toContain('broken.json: error: not valid JSON');
  expect(err).toContain('notes.md:1: error: not an agent');
});

test('every agent can be exported: as one JSON, or as a folder of Markdown', async () => {
  await using home = await tempHome({ 'zoo.toml': '[agents.helper]\nsystem_prompt = "From a file"\n' });
  const { out } = await home.inProcess(['agent', 'export', '--all']);
  expect(JSON.parse(out)).toMatchObject({ agents: [{ id: 'guide' }, { id: 'helper' }] });
  await home.inProcess(['agent', 'export', '--all', '--format', 'md', '-o', join(home.work, 'agents')]);
  expect(readFileSync(join(home.work, 'agents', 'helper.md'), 'utf8')).toMatch(
    /^---\nname: helper\n[^]*\n---\n\nFrom a file\n$/,
  );
});
