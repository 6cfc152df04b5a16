import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempHome } from '../zoo-command.ts';
import { BOOK_FLIGHT } from '../publishing/stage.ts';

const CLAUDE = `---
name: tester
description: Runs the tests
tools: Read, Grep, Bash(npm test:*)
model: inherit
color: cyan
permissionMode: acceptEdits
hooks:
  PreToolUse:
    - matcher: Bash
mcpServers:
  - github
---

You run the tests.
`;

it('an agent made for Claude Code keeps its meaning through the editor', async () => {
  await using home = await tempHome({ 'tester.md': CLAUDE });
  expect(await home.program(['agent', 'import', 'tester.md'])).toMatchObject({ code: 0, err: '' });
  const tested = await home.program(['agent', 'test', 'tester']);
  expect(tested.out).toContain('Read, Grep, Bash(npm test:*)');
  expect(tested.out).not.toContain('did you mean');
  const { out } = await home.program(['agent', 'export', 'tester', '--format', 'md']);
  for (const line of [
    'model: inherit',
    'color: cyan',
    'permissionMode: acceptEdits',
    'hooks:',
    'mcpServers:',
  ])
    expect(out).toMatch(new RegExp(`^${line}`, 'm'));
  expect(out).not.toContain('metadata:');
});

it('a folder imports with everything in it, and SKILL.md becomes a skill of an agent', async () => {
  await using home = await tempHome({
    'team/a.md': '---\nname: a\ndescription: A\ntools: Read\n---\nYou are A.\n',
    'team/b.toml': '[agents.b]\nsystem_prompt = "You are B."\n',
    'pdf/SKILL.md':
      '---\nname: pdf\ndescription: Fills in forms\nallowed-tools: Read, Bash(python:*)\n---\nRun scripts/fill.py.\n',
    'pdf/scripts/fill.py': 'print()\n',
    'pdf/reference.md': '# Reference\n',
  });
  expect(await home.program(['agent', 'import', 'team'])).toMatchObject({ code: 0, err: '' });
  const alone = await home.program(['agent', 'import', 'pdf']);
  expect(alone.code).not.toBe(0);
  expect(alone.err).toContain("'pdf' is a skill, not an agent");
  expect(await home.program(['agent', 'import', 'pdf', '--into', 'a'])).toMatchObject({ code: 0, err: '' });
  const agent = JSON.parse((await home.program(['agent', 'show', 'a', '--json'])).out);
  expect(agent.skills).toMatchObject([
    {
      name: 'pdf',
      description: expect.stringMatching(/Fills in forms[^]*fill\.py\.[^]*- scripts\/fill\.py/),
    },
  ]);
  expect(agent.tools).toEqual(['Read', 'Bash(python:*)']);
});

it('the JSON of seed 004 imports as it is printed', async () => {
  await using home = await tempHome({
    'tool.json': JSON.stringify(BOOK_FLIGHT),
    'agent.json': JSON.stringify({ metadata: { name: 'My Tools Agent', tools: [BOOK_FLIGHT] } }),
    'server.json': JSON.stringify({
      serverInfo: { name: 'Server Name', version: '1.0.0' },
      instructions: 'Server Description',
    }),
  });
  const { code, err, out } = await home.program([
    'agent',
    'import',
    'tool.json',
    'agent.json',
    'server.json',
    '--json',
  ]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(JSON.parse(out).imported).toMatchObject([
    { name: 'book_flight', mode: 'tools', publishedTools: [BOOK_FLIGHT] },
    { name: 'My Tools Agent', mode: 'tools', publishedTools: [BOOK_FLIGHT] },
    { name: 'Server Name', version: '1.0.0', description: 'Server Description', mode: 'tools' },
  ]);
});

it('agents of Codex and files in UTF-16 import, and a file without an agent is an error', async () => {
  await using home = await tempHome({
    'reviewer.toml':
      'name = "reviewer"\ndescription = "Reviews"\ndeveloper_instructions = "Review the diff."\nmodel = "gpt-5"\nsandbox_mode = "read-only"\n',
    'other.toml': 'title = "not an agent"\n',
  });
  expect(await home.zoo(['agent', 'import', 'reviewer.toml'])).toMatchObject({ code: 0, err: '' });
  expect(await home.zoo(['agent', 'import', 'reviewer.toml'])).toMatchObject({
    code: 1,
    err: expect.stringContaining("'reviewer'"),
  });
  const { out } = await home.zoo(['agent', 'show', 'reviewer', '--json']);
  expect(JSON.parse(out)).toMatchObject({
    name: 'reviewer',
    description: 'Reviews',
    systemPrompt: 'Review the diff.',
    model: 'gpt-5',
    metadata: { sandbox_mode: 'read-only' },
  });
  const windows = '---\r\nname: windows\r\ndescription: W\r\n---\r\nYou are W.\r\n';
  writeFileSync(join(home.work, 'windows.md'), `\uFEFF${windows}`, 'utf16le');
  expect(await home.zoo(['agent', 'import', 'windows.md'])).toMatchObject({ code: 0, err: '' });
  expect((await home.zoo(['agent', 'test', 'windows'])).out).toContain('You are W.');
  writeFileSync(join(home.work, 'latin.md'), 'Caf\u00e9', 'latin1');
  expect((await home.zoo(['agent', 'import', 'latin.md'])).err).toContain('it is not UTF-8 text');
  const folder = await home.zoo(['agent', 'import', '.', '--on-conflict', 'replace']);
  expect(folder.err).toContain('it is not UTF-8 text');
  expect(folder.out).toContain('windows');
  // As in the config of Codex.
  writeFileSync(join(home.work, 'config.toml'), 'developer_instructions = "Be brief."\nmodel = "gpt-5"\n');
  expect((await home.zoo(['agent', 'import', 'config.toml'])).err).toContain('no agent found in this file');
  const other = await home.zoo(['agent', 'import', 'other.toml']);
  expect(other).toMatchObject({ code: 1, err: expect.stringContaining('no agent found in this file') });
});
