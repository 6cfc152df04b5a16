import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { call, hang, say, userText } from '../fake-model/script.ts';
import type { RunningHub } from '../start-hub.ts';
import { tempFolder } from '../temp-folder.ts';
import { type Event, stage, testTool } from './run-stage.ts';

const CONFIG = '[agents.ada]\nsystem_prompt = "You are Ada."\ntools = ["slow"]\ntool_permission = "never"\n';

/** A tool that notices a cancellation, and still takes its time. */
function slowTool() {
  let release = (): void => undefined;
  let started = false;
  let noticed = false;
  const held = new Promise<void>((resolve) => (release = resolve));
  const tool = testTool('slow', async (_, { context }) => {
    context.signal.addEventListener('abort', () => (noticed = true));
    started = true;
    await held;
    return 'Ready.';
  });
  return {
    release: () => release(),
    started: () => started,
    noticed: () => noticed,
    extensions: [{ tools: [tool] }],
  };
}

const send = async (hub: RunningHub, id: string, message: string): Promise<Event> =>
  (await hub.request('POST', `/api/chats/${id}/messages`, { message })).body;
const chatOf = async (hub: RunningHub, id: string): Promise<Event> =>
  (await hub.request('GET', `/api/chats/${id}`)).body;

/** A chat whose turn is in the middle of a call, with a message that waits for its next step. */
async function busyChat(hub: RunningHub, slow: ReturnType<typeof slowTool>): Promise<string> {
  const { body } = await hub.request('POST', '/api/chats', { agent: 'ada' });
  const { runId } = await send(hub, body.id, 'Go');
  await expect.poll(slow.started).toBe(true);
  expect(await send(hub, body.id, 'Before the cancellation')).toMatchObject({ runId, joined: true });
  return body.id;
}

it('a message that comes while a turn is being cancelled is the next turn', async () => {
  const slow = slowTool();
  await using at = await stage([call('slow'), say('Fine.')], CONFIG, slow);
  const id = await busyChat(at.hub, slow);
  const cancelled = at.hub.request('POST', `/api/chats/${id}/cancel`);
  await expect.poll(slow.noticed).toBe(true);
  expect(await send(at.hub, id, 'After it')).toMatchObject({ joined: true });
  slow.release();
  expect((await cancelled).body.run).toMatchObject({ state: 'cancelled' });
  await expect.poll(async () => (await chatOf(at.hub, id)).history.at(-1).state).toBe('completed');
  const { history } = await chatOf(at.hub, id);
  expect(history.map(({ state }: Event) => state)).toEqual(['cancelled', 'completed']);
  expect(history[1].input).toEqual([{ type: 'text', text: 'After it' }]);
  const [, second] = at.model.requests;
  expect(second && userText(second).split('\n')).toEqual(['Go', 'Before the cancellation', 'After it']);
});

it('a message from before the cancellation starts no turn, and the next one sees it', async () => {
  const slow = slowTool();
  await using at = await stage([call('slow'), say('Fine.')], CONFIG, slow);
  const id = await busyChat(at.hub, slow);
  const cancelled = at.hub.request('POST', `/api/chats/${id}/cancel`);
  await expect.poll(slow.noticed).toBe(true);
  slow.release();
  await cancelled;
  expect((await chatOf(at.hub, id)).turns).toBe(1);
  const { runId } = await send(at.hub, id, 'Next');
  await at.hub.request('GET', `/api/runs/${runId}/events`);
  const [, second] = at.model.requests;
  expect(second && userText(second).split('\n')).toEqual(['Go', 'Before the cancellation', 'Next']);
  const { content } = (await at.hub.request('GET', `/api/chats/${id}/export`)).body;
  expect(content).toContain('Before the cancellation');
});

it('a chat that is deleted takes the turn with it that a late message started', async () => {
  const slow = slowTool();
  let isStopped = false;
  await using at = await stage([call('slow'), hang(() => (isStopped = true))], CONFIG, slow);
  const id = await busyChat(at.hub, slow);
  const deleted = at.hub.request('DELETE', `/api/chats/${id}`);
  await expect.poll(slow.noticed).toBe(true);
  await send(at.hub, id, 'After it');
  slow.release();
  expect((await deleted).status).toBe(204);
  expect((await at.hub.request('GET', '/api/runs')).body.total).toBe(0);
  // Long enough for a request.
  await sleep(300);
  await expect.poll(() => isStopped || at.model.requests.length === 1).toBe(true);
});

it('a message whose turn cannot start stays in the chat', async () => {
  const slow = slowTool();
  await using at = await stage([call('slow'), say('Fine.')], '', slow);
  const definition = {
    id: 'ada',
    name: 'Ada',
    systemPrompt: 'You are Ada.',
    tools: ['slow'],
    toolPermission: 'never',
  };
  expect(await at.hub.request('POST', '/api/agents', definition)).toMatchObject({ status: 201 });
  const id = await busyChat(at.hub, slow);
  const cancelled = at.hub.request('POST', `/api/chats/${id}/cancel`);
  await expect.poll(slow.noticed).toBe(true);
  await send(at.hub, id, 'After it');
  await at.hub.request('DELETE', '/api/agents/ada');
  slow.release();
  await cancelled;
  expect((await chatOf(at.hub, id)).turns).toBe(1);
  await at.hub.request('POST', '/api/agents/ada/undelete');
  const { runId } = await send(at.hub, id, 'Next');
  await at.hub.request('GET', `/api/runs/${runId}/events`);
  const last = at.model.requests.at(-1);
  expect(last && userText(last).split('\n')).toEqual(['Go', 'Before the cancellation', 'After it', 'Next']);
});

it('a turn that starts while the hub closes is left to the next hub, without a request to its model', async () => {
  await using home = await tempFolder();
  await using folder = await tempFolder();
  const same = { home: home.path, folder: folder.path };
  const slow = slowTool();
  const problems: unknown[] = [];
  const log = { error: (...problem: unknown[]) => void problems.push(problem) };
  const first = await stage([call('slow'), say('Too early.')], CONFIG, { ...same, ...slow, log });
  const id = await busyChat(first.hub, slow);
  const cancelled = first.hub.request('POST', `/api/chats/${id}/cancel`);
  await expect.poll(slow.noticed).toBe(true);
  expect(await send(first.hub, id, 'After it')).toMatchObject({ joined: true });
  const closed = first.hub.hub.close();
  // The runner waits for the call; if it were released earlier, the next turn would be stopped like any other.
  await sleep(200);
  slow.release();
  await cancelled;
  await closed;
  await first[Symbol.asyncDispose]();
  expect([first.model.requests.length, problems]).toEqual([1, []]);

  await using at = await stage([say('Fine.')], CONFIG, { ...same, ...slow });
  await expect.poll(async () => (await chatOf(at.hub, id)).history.at(-1).state).toBe('completed');
  const { history } = await chatOf(at.hub, id);
  expect(history.map(({ state, text }: Event) => [state, text])).toEqual([
    ['cancelled', ''],
    ['completed', 'Fine.'],
  ]);
});
