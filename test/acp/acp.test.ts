import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type * as acp from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';
import { until } from '../bridge/bridge-home.ts';
import { call, fail, held, say, userText } from '../fake-model/script.ts';
import { AGENTS, editorHome } from './editor-home.ts';

const kinds = (updates: readonly acp.SessionNotification[]) =>
  updates.map(({ update }) => update.sessionUpdate);

test('an editor starts a session, prompts it, and gets the answer and its tool calls', async () => {
  const thinking = { ...say('Hello from the zoo.'), thought: 'They want a greeting.' };
  await using home = await editorHome([call('sources'), thinking]);
  await using editor = home.start();
  expect(await editor.initialize()).toMatchObject({
    protocolVersion: 1,
    agentInfo: { name: 'agent-zoo', title: 'Agent Zoo' },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, embeddedContext: true },
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
    },
    authMethods: [{ id: 'provider' }],
  });
  await editor.agent.request('authenticate', { methodId: 'provider' });
  const { sessionId, modes } = await editor.open();
  expect(modes?.currentModeId).toBe('ask');
  expect(await editor.prompt(sessionId, 'Which sources?')).toEqual({ stopReason: 'end_turn' });
  expect(editor.text()).toBe('Hello from the zoo.');
  expect(editor.text('agent_thought_chunk')).toBe('They want a greeting.');
  const shown = editor.updates.flatMap(({ update }) =>
    update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update' ? [update] : [],
  );
  expect(shown).toMatchObject([
    { sessionUpdate: 'tool_call', title: 'sources', kind: 'read', status: 'in_progress' },
    { sessionUpdate: 'tool_call_update', status: 'completed', content: [{ type: 'content' }] },
  ]);
  expect(home.model.problems).toEqual([]);
});

test('sessions are chats: listed, loaded, resumed, closed and deleted, also by another editor', async () => {
  await using home = await editorHome([call('sources'), say('One.'), say('Two.')]);
  let sessionId = '';
  {
    await using editor = await home.editor();
    ({ sessionId } = await editor.open());
    await editor.prompt(sessionId, 'First?');
  }
  const { chats } = await home.call('listChats', {});
  expect(chats).toMatchObject([{ id: sessionId, surface: 'acp', agentId: 'helper', turns: 1 }]);
  await using editor = await home.editor();
  const { sessions } = await editor.agent.request('session/list', { cwd: home.work });
  expect(sessions).toMatchObject([{ sessionId, cwd: home.work }]);
  const elsewhere = await editor.agent.request('session/list', { cwd: home.path });
  expect(elsewhere.sessions).toEqual([]);
  const place = { sessionId, cwd: home.work, mcpServers: [] };
  const refused = editor.agent.request('session/load', { ...place, cwd: 'relative' });
  const loaded = editor.agent.request('session/load', place);
  await expect(refused).rejects.toThrow('absolute');
  await loaded;
  const history = editor.updates.filter(({ update }) => update.sessionUpdate !== 'available_commands_update');
  expect(kinds(history)).toEqual([
    'user_message_chunk',
    'tool_call',
    'tool_call_update',
    'agent_message_chunk',
  ]);
  expect(await editor.prompt(sessionId, 'Second?')).toEqual({ stopReason: 'end_turn' });
  expect(editor.text()).toBe('One.Two.');
  expect(userText(home.model.requests.at(-1) ?? raise())).toContain('First?');
  await editor.agent.request('session/close', { sessionId });
  await expect(editor.prompt(sessionId, 'x')).rejects.toThrow(`Session '${sessionId}' not found`);
  expect(await editor.agent.request('session/resume', place)).toMatchObject({ modes: {} });
  await editor.agent.request('session/delete', { sessionId });
  expect((await editor.agent.request('session/list', {})).sessions).toEqual([]);
  await expect(editor.agent.request('session/load', place)).rejects.toThrow(
    `Session '${sessionId}' not found`,
  );
});

test('links, files and images of a prompt reach the model; files are fenced', async () => {
  await using home = await editorHome([say('Seen.')]);
  await using editor = await home.editor();
  const { sessionId } = await editor.open();
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  await editor.agent.request('session/prompt', {
    sessionId,
    prompt: [
      { type: 'text', text: 'Look at these.' },
      { type: 'resource_link', uri: 'file:///src/main.ts', name: 'main.ts' },
      { type: 'resource', resource: { uri: 'file:///notes.md', mimeType: 'text/markdown', text: '# Notes' } },
      { type: 'image', mimeType: 'image/png', data: pixel },
    ],
  });
  const said = userText(home.model.requests[0] ?? raise());
  expect(said).toContain('Look at these.');
  expect(said).toContain('[main.ts](file:///src/main.ts)');
  expect(said).toMatch(
    /<file-[0-9a-f]{16} uri="file:\/\/\/notes.md" type="text\/markdown">\n# Notes\n<\/file/,
  );
  const { chats } = await home.call('listChats', {});
  const chat = await home.call('getChat', { id: chats[0]?.id ?? '' });
  expect(chat.history[0]?.input.at(-1)).toMatchObject({ type: 'file', mediaType: 'image/png', data: pixel });
  const audio = { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' } as const;
  await expect(editor.agent.request('session/prompt', { sessionId, prompt: [audio] })).rejects.toThrow(
    'Audio is not supported',
  );
  await expect(editor.prompt(sessionId, '  ')).rejects.toThrow('The prompt is empty');
});

test('the editor cancels a turn, and the session continues', async () => {
  const slow = held('too late');
  await using home = await editorHome([slow.step, say('Fresh.')]);
  await using editor = await home.editor();
  const { sessionId } = await editor.open();
  const turn = editor.prompt(sessionId, 'Take your time');
  await until(() => home.model.requests.length === 1);
  await editor.agent.notify('session/cancel', { sessionId });
  expect(await turn).toEqual({ stopReason: 'cancelled' });
  slow.release();
  expect(await editor.prompt(sessionId, 'Again')).toEqual({ stopReason: 'end_turn' });
  expect(editor.text()).toBe('Fresh.');
});

test('modes, models and agents are offered and can be changed', async () => {
  await using home = await editorHome([say('As helper.')]);
  await using editor = await home.editor({ args: [] });
  const { sessionId, configOptions = [] } = await editor.open();
  const values = Object.fromEntries(
    (configOptions ?? []).map((option) => [option.id, [option.category, option.currentValue]]),
  );
  expect(values).toMatchObject({ mode: ['mode', 'ask'], model: ['model', 'default'] });
  const set = (configId: string, value: string) =>
    editor.agent.request('session/set_config_option', { sessionId, configId, value });
  const changed = await set('agent', 'helper');
  expect(changed.configOptions.find(({ id }) => id === 'agent')?.currentValue).toBe('helper');
  await editor.agent.request('session/set_mode', { sessionId, modeId: 'read-only' });
  const models = configOptions?.find(({ id }) => id === 'model');
  const model = models?.type === 'select' ? models.options.at(-1) : undefined;
  const named = model && 'value' in model ? model.value : '';
  await set('model', named);
  expect(await home.call('getChat', { id: sessionId })).toMatchObject({
    agentId: 'helper',
    headless: true,
    models: [named],
  });
  await expect(set('model', 'nobody/nothing')).rejects.toThrow('has no value "nobody/nothing"');
  await expect(set('speed', 'high')).rejects.toThrow("Unknown option 'speed'");
  await editor.prompt(sessionId, 'Hi');
  await expect(set('agent', 'coder')).rejects.toThrow("Unknown option 'agent'");
});

test('skills and published tools of the agent are commands', async () => {
  const config = `${AGENTS}
[[agents.helper.skills]]
id = "terse"
name = "Terse"
description = "Answer in three words."

[[agents.helper.published_tools]]
name = "plan_trip"
description = "Plans a trip."
prompt = "Plan a trip to {city} for {days} days."

[agents.helper.published_tools.parameters]
type = "object"
required = ["city"]

[agents.helper.published_tools.parameters.properties.city]
type = "string"

[agents.helper.published_tools.parameters.properties.days]
type = "integer"
`;
  await using home = await editorHome([say('Ok.'), say('Ok.'), say('Ok.')], config);
  await using editor = await home.editor();
  const { sessionId } = await editor.open();
  await until(() => kinds(editor.updates).includes('available_commands_update'));
  expect(editor.updates.map(({ update }) => update)).toMatchObject([
    {
      availableCommands: [
        { name: 'plan_trip', description: 'Plans a trip.', input: { hint: 'city=… days=…' } },
        { name: 'terse', description: 'Answer in three words.' },
      ],
    },
  ]);
  await editor.prompt(sessionId, '/plan_trip city="New York" days=3');
  await editor.prompt(sessionId, '/terse Why is the sky blue?');
  const said = userText(home.model.requests[1] ?? raise());
  expect(said).toContain('Plan a trip to New York for 3 days.');
  expect(said).toContain('Use the skill "Terse":\n\nAnswer in three words.\n\nWhy is the sky blue?');
  await expect(editor.prompt(sessionId, '/plan_trip days=3')).rejects.toThrow('city');
});

test('a failed turn rejects its prompt, and a missing provider asks for a login', async () => {
  await using home = await editorHome([fail(400, 'Bad model')]);
  await using editor = await home.editor();
  const { sessionId } = await editor.open();
  await expect(editor.prompt(sessionId, 'Hi')).rejects.toThrow('Bad model');
  await using bare = await editorHome([]);
  await using other = await bare.editor({
    env: { ANTHROPIC_API_KEY: '', OLLAMA_HOST: 'http://127.0.0.1:1' },
  });
  await expect(other.open()).rejects.toMatchObject({ code: -32_000 });
  await expect(other.agent.request('authenticate', { methodId: 'provider' })).rejects.toMatchObject({
    code: -32_000,
  });
});

test('a session belongs to the workspace of its folder', async () => {
  await using home = await editorHome([say('Here.')]);
  await using editor = await home.editor();
  const folder = join(home.path, 'other');
  mkdirSync(folder);
  const { sessionId } = await editor.open({ cwd: folder });
  await editor.prompt(sessionId, 'Where?');
  const { sessions } = await editor.agent.request('session/list', { cwd: folder });
  expect(sessions.map((each) => each.sessionId)).toEqual([sessionId]);
  await expect(editor.open({ cwd: 'relative' })).rejects.toThrow('absolute');
});

function raise(): never {
  throw new Error('the model was not asked');
}
