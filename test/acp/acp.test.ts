import { expect, test } from 'vitest';
import { call, say } from '../fake-model/script.ts';
import { editorHome } from './editor-home.ts';

test('an editor starts a session, prompts it, and gets the answer in pieces', async () => {
  await using home = await editorHome([say('Hello from the zoo.')]);
  await using editor = home.start();
  const answer = await editor.initialize();
  expect(answer).toMatchObject({
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
  expect(await editor.prompt(sessionId, 'Hi')).toEqual({ stopReason: 'end_turn' });
  expect(editor.text()).toBe('Hello from the zoo.');
  expect(home.model.problems).toEqual([]);
});

test('tool calls are shown with their results', async () => {
  await using home = await editorHome([call('sources'), say('None.')]);
  await using editor = await home.editor();
  const { sessionId } = await editor.open();
  await editor.prompt(sessionId, 'Which sources?');
  const shown = editor.updates.flatMap(({ update }) =>
    update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update' ? [update] : [],
  );
  expect(shown).toMatchObject([
    { sessionUpdate: 'tool_call', title: 'sources', kind: 'read', status: 'in_progress' },
    { sessionUpdate: 'tool_call_update', status: 'completed', content: [{ type: 'content' }] },
  ]);
});
