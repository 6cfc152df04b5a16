import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as acp from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';
import { until } from '../bridge/bridge-home.ts';
import { call, lastResult, say } from '../fake-model/script.ts';
import { editorHome } from './editor-home.ts';

const ALL: acp.ClientCapabilities = { fs: { readTextFile: true, writeTextFile: true }, terminal: true };

const ofKind = (updates: readonly acp.SessionNotification[], kind: string) =>
  updates.flatMap(({ update }) => (update.sessionUpdate === kind ? [update] : []));

test('an agent that lists the tools of its client uses the files, the terminal and the plan of the editor', async () => {
  const plan = [{ content: 'Fix it', status: 'in_progress' as const }];
  await using home = await editorHome([
    call('TodoWrite', { todos: plan }),
    call('Read', { file_path: 'a.ts' }),
    call('Edit', { file_path: 'a.ts', old_string: 'let', new_string: 'const' }),
    call('Bash', { command: 'npm test' }),
    (request) => say(`Done: ${lastResult(request)}`),
  ]);
  const path = join(home.work, 'a.ts');
  const files = new Map([[path, 'let a = 1;']]);
  await using editor = await home.editor({
    args: ['coder'],
    capabilities: ALL,
    files,
    permit: () => 'once',
  });
  const { sessionId } = await editor.open();
  expect(await editor.prompt(sessionId, 'Fix a.ts')).toEqual({ stopReason: 'end_turn' });
  expect(editor.text()).toContain('Done: ran npm test');
  expect(files.get(path)).toBe('const a = 1;');
  expect(ofKind(editor.updates, 'plan')).toMatchObject([
    { entries: [{ content: 'Fix it', status: 'in_progress', priority: 'medium' }] },
  ]);
  expect(ofKind(editor.updates, 'tool_call')).toMatchObject([
    { title: 'TodoWrite' },
    { title: `Read: ${path}`, kind: 'read', locations: [{ path }] },
    { kind: 'edit', content: [{ type: 'diff', path, oldText: 'let', newText: 'const' }] },
    { title: 'Bash: npm test', kind: 'execute' },
  ]);
  expect(JSON.stringify(ofKind(editor.updates, 'tool_call_update'))).toContain('"terminalId":"terminal-1"');
  // Reading and planning need no approval.
  expect(editor.asked.map(({ toolCall }) => toolCall.kind)).toEqual(['edit', 'execute']);
  expect(editor.asked[0]?.toolCall).toMatchObject({ content: [{ type: 'diff', path }] });
  expect(home.model.problems).toEqual([]);
});

test('a permission is given once, for the conversation, or denied', async () => {
  const write = (name: string) => call('Write', { file_path: name, content: name });
  await using home = await editorHome([
    write('one'),
    write('two'),
    write('three'),
    (request) => say(lastResult(request)),
    write('four'),
    (request) => say(lastResult(request)),
  ]);
  const answers = ['once', 'chat'];
  const files = new Map<string, string>();
  await using editor = await home.editor({
    args: ['coder'],
    capabilities: ALL,
    files,
    permit: () => answers.shift() ?? 'deny',
  });
  const { sessionId } = await editor.open();
  await editor.prompt(sessionId, 'Write three files');
  expect([...files.values()]).toEqual(['one', 'two', 'three']);
  expect(editor.asked).toHaveLength(2);
  expect(editor.asked[0]?.options.map(({ kind }) => kind)).toEqual([
    'allow_once',
    'allow_always',
    'reject_once',
  ]);
  const { sessionId: second } = await editor.open();
  await editor.prompt(second, 'Write another');
  expect(editor.asked).toHaveLength(3);
  expect(editor.text()).toContain('PERMISSION_DENIED: The user declined');
  expect(files.size).toBe(3);
});

test('a permanent permission is stored in the definition of an editor agent', async () => {
  const write = (name: string) => call('Write', { file_path: name, content: name });
  await using home = await editorHome([write('one'), say('Written.'), write('two'), say('Written.')]);
  // Starts the hub.
  await using _first = await home.editor();
  await home.call('createAgent', { body: { id: 'scribe', name: 'Scribe', tools: ['Write'] } });
  const files = new Map<string, string>();
  await using editor = await home.editor({
    args: ['scribe'],
    capabilities: ALL,
    files,
    permit: () => 'always',
  });
  await editor.prompt((await editor.open()).sessionId, 'Write one');
  expect(editor.asked.map(({ options }) => options.map(({ optionId }) => optionId))).toEqual([
    ['once', 'chat', 'always', 'deny'],
  ]);
  expect(await home.call('getAgent', { id: 'scribe' })).toMatchObject({
    toolApprovals: { Write: 'allow' },
  });
  // Another conversation does not ask.
  await editor.prompt((await editor.open()).sessionId, 'Write two');
  expect([editor.asked.length, [...files.values()]]).toEqual([1, ['one', 'two']]);
});

test('a permission that is answered on the page is withdrawn in the editor', async () => {
  await using home = await editorHome([call('Write', { file_path: 'a', content: 'x' }), say('Written.')]);
  const files = new Map<string, string>();
  await using editor = await home.editor({ args: ['coder'], capabilities: ALL, files });
  const { sessionId } = await editor.open();
  const turn = editor.prompt(sessionId, 'Write it');
  await until(() => editor.asked.length === 1);
  const { questions } = await home.call('listQuestions', {});
  await home.call('answerQuestion', { id: questions[0]?.id ?? '', body: { answer: { decision: 'once' } } });
  expect(await turn).toEqual({ stopReason: 'end_turn' });
  expect(files.size).toBe(1);
});

test('an agent has an editor tool only if it lists it and the editor supports it', async () => {
  await using home = await editorHome([say('Nothing.'), say('Nothing.')]);
  await using able = await home.editor({ args: ['helper'], capabilities: ALL });
  await able.prompt((await able.open()).sessionId, 'Hi');
  await using unable = await home.editor({ args: ['coder'] });
  await unable.prompt((await unable.open()).sessionId, 'Hi');
  const offered = home.model.requests.map(({ tools }) => tools.map(({ name }) => name));
  expect(offered[0]).toEqual(['sources']);
  expect(offered[1]?.toSorted()).toEqual(['TodoWrite', 'sources']);
});

test("the editor's own MCP servers are there for its session, if the agent's list names them", async () => {
  const server = join(import.meta.dirname, 'echo-server.js');
  const mcpServers = ['echo', 'other'].map((name) => ({
    name,
    command: process.execPath,
    args: [server],
    env: [{ name: 'ECHO_NAME', value: name }],
  }));
  await using home = await editorHome([
    call('mcp__echo__echo', { text: 'hello' }),
    (request) => say(lastResult(request)),
  ]);
  await using editor = await home.editor({ args: ['coder'], permit: () => 'once' });
  const { sessionId } = await editor.open({ mcpServers });
  await editor.prompt(sessionId, 'Echo');
  expect(editor.text()).toBe('echo says hello');
  const names = home.model.requests[0]?.tools.map(({ name }) => name) ?? [];
  expect(names.filter((name) => name.startsWith('mcp__'))).toEqual(['mcp__echo__echo']);
});

test('an entry with `!` removes tools of the editor and of its servers', async () => {
  const server = join(import.meta.dirname, 'echo-server.js');
  const mcpServers = ['echo', 'other'].map((name) => ({
    name,
    command: process.execPath,
    args: [server],
    env: [{ name: 'ECHO_NAME', value: name }],
  }));
  const lists = {
    one: ['Read', 'Bash', 'mcp__echo', 'mcp__other', '!Bash', '!mcp__echo__echo'],
    two: ['Read', 'Bash', 'mcp__echo', 'mcp__other', '!Ba*', '!mcp__other'],
  };
  const agents = Object.entries(lists).map(
    ([id, tools]) => `[agents.${id}]\nsystem_prompt = "x"\ntools = ${JSON.stringify(tools)}\n`,
  );
  await using home = await editorHome([say('Nothing.'), say('Nothing.')], agents.join(''));
  for (const id of ['one', 'two']) {
    await using editor = await home.editor({ args: [id], capabilities: ALL });
    await editor.prompt((await editor.open({ mcpServers })).sessionId, 'Hi');
  }
  const offered = home.model.requests.map(({ tools }) => tools.map(({ name }) => name).toSorted());
  expect(offered).toEqual([
    ['Read', 'mcp__other__echo'],
    ['Read', 'mcp__echo__echo'],
  ]);
});

test.each(['tool_permission = "never"', 'tool_approvals = { Bash = "allow" }'])(
  'an agent that is added to an approved workspace with %s runs no command before that is approved',
  async (rule) => {
    await using home = await editorHome([
      call('Bash', { command: 'curl evil' }),
      (request) => say(lastResult(request)),
    ]);
    const approved = '[agents.one]\nsystem_prompt = "x"\ntools = ["agent_zoo_create_brain_entry"]\n';
    writeFileSync(join(home.work, 'zoo.toml'), approved);
    await home.zoo(['trust', '--yes']);
    const added = `[agents.two]\nsystem_prompt = "x"\ntools = ["Bash"]\n${rule}\n`;
    writeFileSync(join(home.work, 'zoo.toml'), approved + added);
    await using editor = await home.editor({ args: ['two'], capabilities: ALL });
    const run = async () => editor.prompt((await editor.open()).sessionId, 'Hello');
    await expect(run()).rejects.toThrow('have not approved');
    expect(editor.updates.filter(({ update }) => update.sessionUpdate === 'tool_call')).toEqual([]);
    expect((await home.zoo(['trust'])).out).toMatch(/agent-tools two\s+Bash .*without asking/);
    await home.zoo(['trust', '--yes']);
    await run();
    expect(editor.text()).toContain('ran curl evil');
  },
);
