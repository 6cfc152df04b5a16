import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { Agent } from '../../contract/agent.ts';
import { findMarkdownFiles } from '../markdown/markdown-files.ts';
import { createMarkdownSource } from './markdown.ts';

async function load(root: string, options: { folders?: string[]; followOutside?: boolean } = {}) {
  const { folders = ['agents'], followOutside = false } = options;
  const markdown = await findMarkdownFiles({ root, folders, named: false, followOutside });
  const loaded = await createMarkdownSource({ owner: null, markdown }).load();
  for (const { agent } of loaded.agents) Agent.parse(agent);
  return { ...loaded, ...markdown, diagnostics: [...markdown.diagnostics, ...loaded.diagnostics] };
}

async function loadOne(text: string | Uint8Array) {
  await using folder = await tempFolder({ 'agents/some-file.md': text });
  const { agents, diagnostics, failed } = await load(folder.path);
  return { agent: agents[0]?.agent, diagnostics, failed };
}

describe('a file', () => {
  test('in the format of Claude Code', async () => {
    const { agent, diagnostics } = await loadOne(`---
name: code-reviewer
description: Reviews code
tools: Read, Grep, Bash(git diff:*, git log:*), mcp__x__y
model: sonnet
color: purple
permissionMode: plan
skills: [pdf, docs]
hooks:
  Stop: [{ command: x }]
---

You are a reviewer.

---

Be kind.
`);
    expect(diagnostics).toEqual([]);
    expect(agent).toMatchObject({
      id: 'code-reviewer',
      name: 'code-reviewer',
      description: 'Reviews code',
      tools: ['Read', 'Grep', 'Bash(git diff:*, git log:*)', 'mcp__x__y'],
      model: 'sonnet',
      systemPrompt: 'You are a reviewer.\n\n---\n\nBe kind.',
      source: 'markdown',
      revision: 0,
      skills: [],
      metadata: {
        color: 'purple',
        permissionMode: 'plan',
        skills: ['pdf', 'docs'],
        hooks: { Stop: [{ command: 'x' }] },
      },
    });
    expect(agent?.origin?.path).toMatch(/some-file\.md$/);
  });

  test('supports every field, in camelCase and snake_case', async () => {
    const { agent, diagnostics } = await loadOne(`---
name: Größter Experte
version: 1.10
mode: autonomous
tool_permission: never
appearanceSeed: 7
sources: docs, wiki
context-refs: [a]
arguments:
  - name: topic
    required: true
context:
  - query: about {{topic}}
skills:
  - name: Naming
    category_id: general
published_tools:
  - name: explain
    prompt: Explain {what}
    parameters: { type: object, properties: { what: { type: string } } }
    output: { type: object, properties: { answer: { type: string } } }
    annotations: { readOnlyHint: true }
    cache: 60
    context: shared
    version: 2.0.0
    requires: [docs]
metadata: { team: platform }
tools: []
---
Prompt`);
    expect(diagnostics).toEqual([]);
    expect(agent).toMatchObject({
      id: 'grosster-experte',
      name: 'Größter Experte',
      version: '1.10',
      mode: 'autonomous',
      toolPermission: 'never',
      appearanceSeed: '7',
      sources: ['docs', 'wiki'],
      contextRefs: ['a'],
      arguments: [{ name: 'topic', required: true }],
      context: [{ query: 'about {{topic}}' }],
      skills: [{ id: 'naming', name: 'Naming', categoryId: 'general' }],
      publishedTools: [{ name: 'explain', cache: 60, context: 'shared', requires: ['docs'] }],
      metadata: { team: 'platform' },
      tools: [],
    });
  });

  test('without tools or a model gets the defaults', async () => {
    const { agent } = await loadOne('---\nname: a\ntools:\nmodel: inherit\n---\nx');
    expect(agent).toMatchObject({ tools: null, model: null });
  });

  test('may have a byte order mark and CRLF', async () => {
    const { agent, diagnostics } = await loadOne(
      '\uFEFF---\r\nname: a\r\ndescription: d\r\n---\r\nOne\r\nTwo\r\n',
    );
    expect(diagnostics).toEqual([]);
    expect(agent).toMatchObject({ id: 'a', description: 'd', systemPrompt: 'One\nTwo' });
  });

  test('is named after its file if it has only a description', async () => {
    const { agent } = await loadOne('---\ndescription: d\n---\nx');
    expect(agent).toMatchObject({ id: 'some-file', name: 'some-file' });
  });

  test('may have an unquoted colon in its description, with a warning', async () => {
    const { agent, diagnostics } = await loadOne(
      "---\nname: a\ndescription: Use it when: it's time.\\nExamples: <example>user: hi</example>\n---\nx",
    );
    expect(agent?.description).toBe("Use it when: it's time.\\nExamples: <example>user: hi</example>");
    expect(diagnostics).toMatchObject([{ severity: 'note', code: 'syntax', line: 3 }]);
  });
});

describe('a mistake', () => {
  test('broken YAML is reported with its line', async () => {
    const { agent, diagnostics, failed } = await loadOne('---\nname: a\ntools: [Read\n---\nx');
    expect(agent).toBeUndefined();
    expect(failed).toHaveLength(1);
    expect(diagnostics).toMatchObject([{ severity: 'error', code: 'syntax' }]);
    expect([3, 4]).toContain(diagnostics[0]?.line);
  });

  test('unclosed front matter', async () => {
    expect((await loadOne('---\nname: a\nprompt')).diagnostics).toMatchObject([{ code: 'syntax', line: 1 }]);
  });

  test('an invalid value is reported with the line of its key', async () => {
    const { agent, diagnostics, failed } = await loadOne(
      '---\nname: a\ndescription: d\nmode: chatty\n---\nx',
    );
    expect(agent).toBeUndefined();
    expect(failed).toHaveLength(1);
    expect(diagnostics).toMatchObject([{ severity: 'error', code: 'invalid-value', line: 4 }]);
    expect(diagnostics[0]?.message).toContain('mode must be one of "interactive"');
  });

  test('a file without an agent is a note', async () => {
    for (const text of ['# Read me', '---\ntitle: A page\n---\nx', '', '---\n\nA rule.']) {
      const { diagnostics, failed } = await loadOne(text);
      expect(diagnostics).toMatchObject([{ severity: 'note', code: 'not-an-agent' }]);
      expect(failed).toEqual([]);
    }
  });

  test('a reserved name', async () => {
    expect((await loadOne('---\nname: current\n---\nx')).diagnostics).toMatchObject([
      { code: 'reserved-id', line: 2 },
    ]);
  });

  test('too large, or not text', async () => {
    for (const content of [`---\nname: a\n---\n${'x'.repeat(1024 * 1024)}`, Uint8Array.of(0x2d, 0xff)]) {
      expect((await loadOne(content)).diagnostics).toMatchObject([{ severity: 'error', code: 'unreadable' }]);
    }
  });

  test('a YAML alias bomb is rejected', async () => {
    const levels = Array.from(
      { length: 12 },
      (_, n) => `k${n + 1}: &a${n + 1} [${`*a${n}, `.repeat(9)}*a${n}]`,
    );
    const { diagnostics } = await loadOne(`---\nname: a\nk0: &a0 [x]\n${levels.join('\n')}\n---\nx`);
    expect(diagnostics).toMatchObject([{ severity: 'error', code: 'syntax' }]);
  });
});

describe('folders', () => {
  const agent = (name: string) => `---\nname: ${name}\n---\nx`;

  test('are read recursively, sorted by path', async () => {
    await using folder = await tempFolder({
      'agents/z.md': agent('z'),
      'agents/deep/er/a.md': agent('a'),
      'agents/node_modules/p/readme.md': agent('no'),
      'agents/notes.txt': 'x',
      '.claude/agents/c.md': agent('c'),
    });
    const { agents } = await load(folder.path, { folders: ['.claude/agents', 'agents', 'none'] });
    expect(agents.map((one) => one.agent.id)).toEqual(['c', 'a', 'z']);
  });

  test('a cycle of links ends, and no file is read twice', async () => {
    await using folder = await tempFolder({ 'agents/a.md': agent('a'), 'agents/sub/b.md': agent('b') });
    await symlink('..', join(folder.path, 'agents/sub/up'));
    await symlink(join(folder.path, 'agents'), join(folder.path, 'agents/self'));
    await symlink('loop.md', join(folder.path, 'agents/loop.md'));
    await symlink('a.md', join(folder.path, 'agents/also-a.md'));
    const { agents, diagnostics } = await load(folder.path);
    expect(agents.map((one) => one.agent.id).toSorted()).toEqual(['a', 'b']);
    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'unreadable' }]);
    expect(diagnostics[0]?.message).toContain('loop.md');
  });

  test('links that leave the workspace are followed only if it is trusted', async () => {
    await using elsewhere = await tempFolder({ 'out.md': agent('out'), 'folder/in.md': agent('in') });
    await using folder = await tempFolder({ 'agents/a.md': agent('a') });
    await symlink(join(elsewhere.path, 'out.md'), join(folder.path, 'agents/out.md'));
    await symlink(join(elsewhere.path, 'folder'), join(folder.path, 'agents/linked'));

    const untrusted = await load(folder.path);
    expect(untrusted.agents.map((one) => one.agent.id)).toEqual(['a']);
    expect(untrusted.outside).toEqual([
      { path: join('agents', 'linked'), target: join(elsewhere.path, 'folder') },
      { path: join('agents', 'out.md'), target: join(elsewhere.path, 'out.md') },
    ]);
    expect(untrusted.diagnostics.map(({ code }) => code)).toEqual(['untrusted', 'untrusted']);

    const trusted = await load(folder.path, { followOutside: true });
    expect(trusted.agents.map((one) => one.agent.id)).toEqual(['a', 'in', 'out']);
    expect(trusted.diagnostics).toEqual([]);
  });

  test('a folder outside of the workspace is not read either', async () => {
    await using folder = await tempFolder({ 'shared/s.md': agent('s'), 'work/x': '' });
    const { agents, outside } = await load(join(folder.path, 'work'), { folders: ['../shared'] });
    expect(agents).toEqual([]);
    expect(outside).toEqual([{ path: join('..', 'shared'), target: join(folder.path, 'shared') }]);
  });
});
