import { expect, test } from 'vitest';
import { kill, until } from '../bridge/bridge-home.ts';
import { held, say, userText } from '../fake-model/script.ts';
import { editorHome } from './editor-home.ts';

test('a hub killed during a turn ends it with an error; the session can be loaded again and continues', async () => {
  const slow = held('From the second hub.');
  await using home = await editorHome([{ ...say('First.') }, slow.step, slow.step, say('And on.')]);
  await using editor = await home.editor();
  const { sessionId } = await editor.open();
  await editor.prompt(sessionId, 'Hello');
  const turn = editor.prompt(sessionId, 'Long work').catch((error: unknown) => error);
  await until(() => home.model.requests.length === 2);
  // The model is asked while the turn is still being stored.
  const turns = async () => (await home.call('getChat', { id: sessionId })).history.length;
  await expect.poll(turns).toBe(2);
  kill(home.hub().pid);
  expect(await turn).toMatchObject({
    code: -32_603,
    message: expect.stringContaining('load the session again'),
  });
  editor.updates.length = 0;
  slow.release();
  await editor.agent.request('session/load', { sessionId, cwd: home.work, mcpServers: [] });
  // The new hub has resumed the turn by itself.
  await until(() => editor.text().includes('From the second hub.'));
  expect(editor.text().startsWith('First.')).toBe(true);
  expect(await editor.prompt(sessionId, 'Go on')).toEqual({ stopReason: 'end_turn' });
  expect(editor.text()).toContain('And on.');
  const last = home.model.requests.at(-1);
  expect(last && userText(last)).toContain('Long work');
});

test('an idle session continues on the next hub without being loaded again', async () => {
  await using home = await editorHome([say('Before.'), say('After.')]);
  await using editor = await home.editor();
  const { sessionId } = await editor.open();
  await editor.prompt(sessionId, 'One');
  const { pid } = home.hub();
  kill(pid);
  // The bridge notices by itself, and starts the next one.
  await until(() => home.hubs().length === 2);
  expect(await editor.prompt(sessionId, 'Two')).toEqual({ stopReason: 'end_turn' });
  expect(editor.text()).toBe('Before.After.');
  expect(home.hub().pid).not.toBe(pid);
});

test('twenty editors on one hub each get their own answer', async () => {
  const echo = (request: Parameters<typeof userText>[0]) => ({
    text: `You said ${userText(request)}`,
    again: true,
  });
  await using home = await editorHome([echo]);
  await home.editor();
  const editors = await Promise.all(Array.from({ length: 20 }, () => home.editor()));
  const answers = await Promise.all(
    editors.map(async (editor, index) => {
      const { sessionId } = await editor.open();
      await editor.prompt(sessionId, `editor ${index}.`);
      return editor.text();
    }),
  );
  expect(answers).toEqual(editors.map((_, index) => `You said editor ${index}.`));
  expect(home.hubs()).toHaveLength(1);
});

test('the turn of an editor that disconnects keeps running, and its answer is stored', async () => {
  const slow = held('For later.');
  await using home = await editorHome([slow.step]);
  const editor = await home.editor();
  const { sessionId } = await editor.open();
  void editor.prompt(sessionId, 'Work').catch(() => undefined);
  await until(() => home.model.requests.length === 1);
  editor.child.kill('SIGKILL');
  slow.release();
  await using other = await home.editor();
  await other.agent.request('session/load', { sessionId, cwd: home.work, mcpServers: [] });
  await until(() => other.text() !== '');
  expect(other.text()).toBe('For later.');
});
