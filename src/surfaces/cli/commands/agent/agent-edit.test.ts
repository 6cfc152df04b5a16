import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { tempHome } from '../../../../../test/zoo-command.ts';

type Home = Awaited<ReturnType<typeof tempHome>>;

/** An editor that runs this script on its file. */
async function editor(home: Home, name: string, script: string): Promise<{ EDITOR: string }> {
  const path = await home.write(name, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return { EDITOR: path };
}

const agentOf = async (home: Home, id: string): Promise<Record<string, unknown>> =>
  JSON.parse((await home.inProcess(['agent', 'show', id, '--json'])).out);

async function created(home: Home): Promise<void> {
  const prompt = 'You review.\n\n---\n\nBe kind: always.\n';
  const args = ['agent', 'create', '--name', 'Reviewer', '--system-prompt', prompt, '--tool', 'search'];
  expect(await home.inProcess(args)).toMatchObject({ code: 0 });
}

test('an agent is edited as text: fields on top, the persona below', async () => {
  await using home = await tempHome();
  await created(home);
  const env = await editor(
    home,
    'ed',
    `sed -i -e 's/^description:.*/description: Reads code/' -e 's/You review/You read/' "$1"`,
  );
  const { code, out } = await home.inProcess(['agent', 'edit', 'reviewer'], { answers: [], env });
  expect({ code, out }).toEqual({ code: 0, out: 'Saved reviewer (Reviewer), revision 2\n' });
  expect(await agentOf(home, 'reviewer')).toMatchObject({
    description: 'Reads code',
    systemPrompt: 'You read.\n\n---\n\nBe kind: always.',
    tools: ['search'],
  });
  expect(readdirSync(join(home.path, 'home', 'drafts'))).toEqual([]);
});

test('an unchanged text changes nothing', async () => {
  await using home = await tempHome();
  await created(home);
  const { out } = await home.inProcess(['agent', 'edit', 'reviewer'], {
    answers: [],
    env: await editor(home, 'ed', 'true'),
  });
  expect(out).toBe('No changes.\n');
  expect(await agentOf(home, 'reviewer')).toMatchObject({
    revision: 1,
    systemPrompt: 'You review.\n\n---\n\nBe kind: always.\n',
  });
});

test('invalid text is reported with its line and can be corrected', async () => {
  await using home = await tempHome();
  await created(home);
  const script = `if grep -q descripton "$1"; then sed -i s/descripton/description/ "$1"; else sed -i 's/^description: .*/descripton: New/' "$1"; fi`;
  const { code, err } = await home.inProcess(['agent', 'edit', 'reviewer'], {
    answers: ['y'],
    env: await editor(home, 'ed', script),
  });
  expect(err).toContain('line 4: unknown field descripton; did you mean description?');
  expect(code).toBe(0);
  expect(await agentOf(home, 'reviewer')).toMatchObject({ description: 'New', revision: 2 });
});

test('a concurrent change is a conflict, and no text is lost', async () => {
  await using home = await tempHome();
  await created(home);
  const meanwhile = '"$NODE" "$ZOO" agent edit reviewer --set name=Other >&2';
  const programs = {
    NODE: process.execPath,
    ZOO: fileURLToPath(new URL('../../../../../dist/zoo.js', import.meta.url)),
  };
  const env = {
    ...programs,
    ...(await editor(home, 'ed', `sed -i 's/You review/MY WORDS/' "$1"; ${meanwhile}`)),
  };
  const { code, err } = await home.inProcess(['agent', 'edit', 'reviewer'], { answers: [], env });
  expect(code).toBe(1);
  const file = /your text is kept in (\S+)/.exec(err)?.[1] ?? '';
  expect(readFileSync(file, 'utf8')).toContain('MY WORDS');
  expect(err).toContain('zoo agent diff reviewer');
  expect(await agentOf(home, 'reviewer')).toMatchObject({ name: 'Other', revision: 2 });
});

test('options edit without a terminal: texts as typed, lists by commas, JSON where it is JSON, skills by id', async () => {
  await using home = await tempHome();
  await created(home);
  await home.inProcess(['agent', 'edit', 'reviewer', '--set', 'skills=[{"name":"Careful"}]']);
  const { code } = await home.inProcess(
    [
      'agent',
      'edit',
      'reviewer',
      '--set',
      'name=42',
      '--set',
      'tools=a, b',
      '--set',
      'model=null',
      '--set',
      'tool_permission=never',
      '--skill',
      'careful=off',
      '--system-prompt-file',
      '-',
    ],
    { input: 'New persona\n' },
  );
  expect(code).toBe(0);
  expect(await agentOf(home, 'reviewer')).toMatchObject({
    name: '42',
    tools: ['a', 'b'],
    model: null,
    toolPermission: 'never',
    systemPrompt: 'New persona',
    skills: [{ id: 'careful', enabled: false }],
  });
  const wrong = await home.inProcess(['agent', 'edit', 'reviewer', '--set', 'nam=x']);
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('did you mean name?') });
});

test('an agent from a file is copied into the editor after confirmation; without a terminal, a hint says how', async () => {
  await using home = await tempHome({ 'zoo.toml': '[agents.helper]\nsystem_prompt = "From a file"\n' });
  const alone = await home.inProcess(['agent', 'edit', 'helper', '--set', 'name=Mine']);
  expect(alone).toMatchObject({
    code: 1,
    err: expect.stringContaining('zoo agent clone helper --id helper'),
  });
  const asked = await home.inProcess(['agent', 'edit', 'helper', '--set', 'name=Mine'], { answers: ['yes'] });
  expect(asked.err).toContain('helper is defined in zoo.toml:1.');
  expect(asked.code).toBe(0);
  expect(await agentOf(home, 'helper')).toMatchObject({
    source: 'editor',
    name: 'Mine',
    systemPrompt: 'From a file',
  });
  expect((await home.inProcess(['agent', 'list', '--search', 'helper'])).out).toContain(
    'shadows toml zoo.toml:1',
  );
});
