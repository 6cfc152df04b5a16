import { expect, test } from 'vitest';
import { Agent } from '../../contract/agent.ts';
import { loadConfig } from '../../platform/config/config.ts';
import { createTomlSource } from './toml.ts';

async function load(text: string) {
  const config = await loadConfig('/w/zoo.toml', { text });
  const loaded = await createTomlSource({ owner: 'w', config }).load();
  for (const { agent } of loaded.agents) Agent.parse(agent);
  return { ...loaded, byId: new Map(loaded.agents.map(({ agent }) => [agent.id, agent])) };
}

test('an inline agent as shown in the specification', async () => {
  const { agents, diagnostics } = await load(`
[agents.code-reviewer]
description = "Reviews code changes against project conventions"
tools = ["search", "get"]
system_prompt = """
You are a senior code reviewer for this project.
"""
`);
  expect(diagnostics).toEqual([]);
  expect(agents).toMatchObject([
    {
      owner: 'w',
      trusted: true,
      agent: {
        id: 'code-reviewer',
        name: 'code-reviewer',
        description: 'Reviews code changes against project conventions',
        systemPrompt: 'You are a senior code reviewer for this project.\n',
        tools: ['search', 'get'],
        source: 'toml',
        origin: { path: '/w/zoo.toml', line: 2 },
        revision: 0,
        mode: 'interactive',
      },
    },
  ]);
});

test('every field is supported', async () => {
  const { byId, diagnostics } = await load(`
[agents.inline.full]
name = "The Full One"
version = "2.0"
mode = "tools"
model = "some-model"
tool_permission = "never"
appearance_seed = "seed"
sources = ["docs"]
context_refs = ["doc-1"]
metadata = { team = "platform", since = 2026-01-02 }
system_prompt = "Talk about {{topic}}"

[[agents.inline.full.arguments]]
name = "topic"
required = true

[[agents.inline.full.context]]
query = "about {{topic}}"
limit = 3

[[agents.inline.full.skill_categories]]
name = "Code Style"

[[agents.inline.full.skills]]
name = "Naming"
category = "Code Style"

[[agents.inline.full.skills]]
name = "Brevity"
category = "Prose"
enabled = false

[[agents.inline.full.skills]]
name = "Plain"

[[agents.inline.full.published_tools]]
name = "explain"
prompt = "Explain {what}"
parameters = { type = "object", properties = { what = { type = "string" } }, required = ["what"] }
output = { type = "object", properties = { answer = { type = "string" } } }
annotations = { readOnlyHint = true }
cache = 60
context = "shared"
version = "2.0.0"
requires = ["docs"]
`);
  expect(diagnostics).toEqual([]);
  expect(byId.get('full')).toMatchObject({
    name: 'The Full One',
    version: '2.0',
    mode: 'tools',
    model: 'some-model',
    toolPermission: 'never',
    appearanceSeed: 'seed',
    sources: ['docs'],
    contextRefs: ['doc-1'],
    metadata: { team: 'platform', since: '2026-01-02' },
    arguments: [{ name: 'topic', description: '', required: true }],
    context: [{ query: 'about {{topic}}', limit: 3 }],
    skills: [
      { id: 'naming', categoryId: 'code-style', enabled: true },
      { id: 'brevity', categoryId: 'prose', enabled: false },
      { id: 'plain', categoryId: 'general' },
    ],
    publishedTools: [{ name: 'explain', prompt: 'Explain {what}', cache: 60, context: 'shared' }],
  });
  expect(byId.get('full')?.skillCategories.map(({ id }) => id)).toEqual(['general', 'code-style', 'prose']);
});

test('missing tools differ from an empty list', async () => {
  const { byId } = await load('[agents.default]\nsystem_prompt = "x"\n[agents.none]\ntools = []\n');
  expect(byId.get('default')?.tools).toBeNull();
  expect(byId.get('none')?.tools).toEqual([]);
});

test('an invalid or reserved id is reported', async () => {
  const { agents, diagnostics } = await load('[agents.team]\n[agents."two words"]\n[agents.fine]\n');
  expect(agents.map(({ agent }) => agent.id)).toEqual(['fine']);
  expect(diagnostics).toMatchObject([
    { severity: 'error', code: 'reserved-id', line: 1 },
    { severity: 'error', code: 'invalid-value', line: 2 },
  ]);
});

test('a plain entry takes precedence over an inline one with the same name', async () => {
  const { byId, diagnostics } = await load(
    '[agents.inline.x]\nname = "inline"\n\n[agents.x]\nname = "plain"\n',
  );
  expect(byId.get('x')?.name).toBe('plain');
  expect(diagnostics).toMatchObject([{ code: 'duplicate-id', line: 1, agentId: 'x' }]);
  expect(diagnostics[0]?.message).toBe('[agents.inline.x] is ignored: [agents.x] on line 4 has the same id');
});

test('contradictory parts affect only their own agent', async () => {
  const { byId, failed, diagnostics } = await load(
    '[agents.a]\narguments = [{ name = "x" }, { name = "x" }]\n[agents.b]\n[agents.c]\nversion = ""\n',
  );
  expect([...byId.keys()]).toEqual(['b']);
  expect(failed.map(({ agentId }) => agentId)).toEqual(['a', 'c']);
  expect(diagnostics).toMatchObject([
    { code: 'invalid-value', agentId: 'a', line: 1 },
    { code: 'invalid-value', agentId: 'c', line: 4 },
  ]);
});
