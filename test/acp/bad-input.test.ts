import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { hang, say, userText } from '../fake-model/script.ts';
import { editorHome } from './editor-home.ts';

const program = fileURLToPath(new URL('../../dist/zoo.js', import.meta.url));

test('lines that are not requests are answered with an error, and the connection stays open', async () => {
  await using home = await editorHome([]);
  const child = spawn(process.execPath, [program, 'acp', 'helper'], { cwd: home.work, env: home.env });
  const lines: string[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  const answers = async (count: number) => {
    while (lines.length < count) await once(child.stdout, 'data');
    return lines.splice(0).map((line) => JSON.parse(line));
  };
  const request = (id: number, method: string, params: unknown = {}) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  try {
    child.stdin.write('{"jsonrpc": "2.0", "id": 1, "meth\n42\n[]\nnull\n');
    expect((await answers(4)).map(({ error }) => error.code)).toEqual([-32_700, -32_600, -32_600, -32_600]);
    child.stdin.write(request(1, 'session/new', { cwd: home.work, mcpServers: [] }));
    expect(await answers(1)).toMatchObject([{ id: 1, error: { code: -32_600 } }]);
    child.stdin.write(request(2, 'initialize', { protocolVersion: 99 }));
    expect(await answers(1)).toMatchObject([{ id: 2, result: { protocolVersion: 1 } }]);
    const bad = [
      request(3, 'session/fly'),
      request(4, 'session/new', { cwd: 7 }),
      request(5, 'session/prompt', { sessionId: 'foreign', prompt: [{ type: 'text', text: 'x' }] }),
      request(6, 'session/load', { sessionId: '../x', cwd: home.work, mcpServers: [] }),
      request(7, 'session/list', { cursor: 'minus one' }),
      request(8, 'authenticate', { methodId: 'magic' }),
      request(9, 'session/set_mode', { sessionId: 'foreign', modeId: 'ask' }),
    ];
    child.stdin.write(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"foreign"}}\n`);
    child.stdin.write(bad.join(''));
    const errors = (await answers(bad.length)).toSorted((a, b) => a.id - b.id);
    expect(errors.map(({ id, error }) => [id, error?.code])).toEqual([
      [3, -32_601],
      [4, -32_602],
      [5, -32_002],
      [6, -32_002],
      [7, -32_602],
      [8, -32_602],
      [9, -32_002],
    ]);
    expect(JSON.stringify(errors)).not.toMatch(/node_modules|at async| {4}at /);
    child.stdin.write(request(10, 'session/list', {}));
    expect(await answers(1)).toMatchObject([{ id: 10, result: { sessions: [] } }]);
  } finally {
    child.kill('SIGKILL');
  }
});

test('a part of 10 MB is accepted, and a larger prompt is rejected', async () => {
  await using home = await editorHome([say('Long.')]);
  await using editor = await home.editor();
  const { sessionId } = await editor.open();
  const text = 'lorem ipsum '.repeat((10 * 1024 * 1024) / 12);
  const resource = { uri: 'file:///long.txt', text };
  const send = (parts: number) =>
    editor.agent.request('session/prompt', {
      sessionId,
      prompt: Array.from({ length: parts }, () => ({ type: 'resource' as const, resource })),
    });
  await expect(send(2)).rejects.toThrow('larger than 16 MB');
  // The model's window is smaller: the run ends with an error of its own, or with an answer.
  const ended = await send(1).catch((error: Error) => error.message);
  expect(ended).toBeDefined();
  const chat = await home.call('getChat', { id: sessionId });
  expect(chat.history[0]?.input[0]).toMatchObject({ text: expect.stringContaining(text.slice(0, 1000)) });
  expect(await editor.agent.request('session/list', {})).toMatchObject({ sessions: [{ sessionId }] });
});

test('a wrong token, an unknown agent and a session of another caller are rejected', async () => {
  await using home = await editorHome([hang()]);
  await using editor = await home.editor();
  const { sessionId } = await editor.open();
  await using wrong = home.start({ env: { ZOO_TOKEN: 'zoo_wrong' } });
  await expect(wrong.initialize()).rejects.toThrow('The token is invalid or was revoked');
  await using unknown = home.start({ args: ['nobody'] });
  await expect(unknown.initialize()).rejects.toThrow('nobody');
  const { out } = await home.zoo(['token', 'create', '--agent', 'helper', '--json']);
  const bound = JSON.parse(out).token;
  await using other = home.start({ args: ['coder'], env: { ZOO_TOKEN: bound } });
  await expect(other.initialize()).rejects.toThrow('bound to the agent helper');
  await using own = await home.editor({ args: [], env: { ZOO_TOKEN: bound } });
  const place = { sessionId, cwd: home.work, mcpServers: [] };
  await expect(own.agent.request('session/load', place)).rejects.toMatchObject({ code: -32_002 });
  expect((await own.agent.request('session/list', {})).sessions).toEqual([]);
  // Nobody can approve with the token of an agent.
  expect((await own.open()).modes).toMatchObject({
    currentModeId: 'read-only',
    availableModes: [{ id: 'read-only' }],
  });
});

test('messages of two prompts at once join one turn', async () => {
  await using home = await editorHome([
    async (request) => ({
      text: userText(request).includes('Second') ? 'Both.' : 'Only the first.',
      again: true,
    }),
  ]);
  await using editor = await home.editor();
  const { sessionId } = await editor.open();
  const both = await Promise.all([editor.prompt(sessionId, 'First'), editor.prompt(sessionId, 'Second')]);
  expect(both).toEqual([{ stopReason: 'end_turn' }, { stopReason: 'end_turn' }]);
  expect(editor.text()).toContain('Both.');
});
