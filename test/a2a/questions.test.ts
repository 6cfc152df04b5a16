import { ListTasksRequest, type StreamResponse, TaskState } from '@a2a-js/sdk';
import { describe, expect, it } from 'vitest';
import { call, lastResult, say } from '../fake-model/script.ts';
import { PATIENCE } from '../patience.ts';
import { stage } from '../publishing/stage.ts';
import { startOAuthServer } from '../upstreams/oauth-server.ts';
import { fixture } from '../upstreams/upstream-servers.ts';
import { all, answerOf, BINDINGS, connectA2A, describeEvent, message, send, stateOf } from './a2a-client.ts';

const agent = (tools: string): string =>
  `[agents.waiter]\nsystem_prompt = "x"\nmode = "autonomous"\ntool_permission = "never"\ntools = ["${tools}"]\n`;

const order = (name: string) => call('order', { as: name });
const repeat = (request: Parameters<typeof lastResult>[0]) => say(`It said ${lastResult(request)}`);

const questionIn = ({ payload }: StreamResponse): string => {
  const status = payload?.$case === 'statusUpdate' ? payload.value.status : undefined;
  const [first] = status?.message?.parts ?? [];
  return first?.content?.$case === 'text' ? first.content.value : '';
};

describe.each(BINDINGS)('a tool that asks its caller over %s', (binding) => {
  // One test per era of servers: a modern one is called again with the answer.
  const era = binding === 'JSONRPC' ? 'legacy' : 'modern';

  it('makes the task input-required until a message to it brings the answer', async () => {
    const config = `${agent('kitchen.order')}${fixture('kitchen', era)}`;
    await using at = await stage([order('Ann'), repeat, order('Bob'), repeat], config);
    await at.hub.request('POST', '/tools/kitchen__who', {});
    const token = (await at.hub.request('POST', '/api/tokens', { agentId: 'waiter' })).body.token;
    const client = await connectA2A(at.hub.url, 'waiter', token, binding);

    const asked = await send(client, 'Tea, please');
    expect(stateOf(asked)).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(asked.status?.message?.parts.map(({ content }) => content?.value)).toEqual([
      expect.stringContaining('What does Ann want?'),
      { requestedSchema: { type: 'object', properties: { what: { type: 'string' } } } },
    ]);
    const { id } = asked;
    expect(stateOf(await client.getTask({ tenant: '', id }))).toBe('TASK_STATE_INPUT_REQUIRED');
    const inState = async (status: TaskState) =>
      (await client.listTasks({ ...ListTasksRequest.fromJSON({}), status })).tasks.map((task) => task.id);
    expect(await inState(TaskState.TASK_STATE_INPUT_REQUIRED)).toEqual([id]);
    expect(await inState(TaskState.TASK_STATE_WORKING)).toEqual([]);

    const wrong = send(client, '{"what": 7}', { taskId: id });
    await expect(wrong).rejects.toThrow('content.what must be text');
    const answered = await send(client, 'green tea', { taskId: id });
    expect([answered.id, stateOf(answered)]).toEqual([id, 'TASK_STATE_COMPLETED']);
    expect(answerOf(answered)).toContain('"what":"green tea"');
    expect((await at.hub.request('GET', '/api/questions')).body.questions).toEqual([]);

    // A stream ends with the question; the next one brings the rest.
    const first = await all(client.sendMessageStream(message('Coffee', { contextId: asked.contextId })));
    expect(describeEvent(first.at(-1) ?? {})).toBe('status TASK_STATE_INPUT_REQUIRED');
    expect(questionIn(first.at(-1) ?? {})).toContain('What does Bob want?');
    const rest = await all(
      client.sendMessageStream(message('what=espresso', { contextId: asked.contextId })),
    );
    expect(describeEvent(rest.at(-1) ?? {})).toBe('status TASK_STATE_COMPLETED');
    const [last] = await inState(TaskState.TASK_STATE_COMPLETED);
    expect(answerOf(await client.getTask({ tenant: '', id: last ?? '' }))).toContain('"what":"espresso"');
  });
});

it('an answer in the inbox, a declined answer and a cancelled task close the question', async () => {
  const config = `${agent('kitchen.order')}${fixture('kitchen', 'legacy')}`;
  const steps = [order('Ann'), repeat, order('Bob'), repeat, order('Cid')];
  await using at = await stage(steps, config);
  await at.hub.request('POST', '/tools/kitchen__who', {});
  const client = await connectA2A(at.hub.url, 'waiter', at.hub.token, 'JSONRPC');
  const questions = async () => (await at.hub.request('GET', '/api/questions')).body.questions;
  const state = async (id: string) => stateOf(await client.getTask({ tenant: '', id }));

  const first = await send(client, 'Tea');
  const [question] = await questions();
  expect(question).toMatchObject({ kind: 'elicitation', asker: { kind: 'run', id: first.id } });
  const answer = { action: 'accept', content: { what: 'mint' } };
  await at.hub.request('POST', `/api/questions/${question.id}/answer`, { answer });
  await expect.poll(() => state(first.id), PATIENCE).toBe('TASK_STATE_COMPLETED');
  expect(answerOf(await client.getTask({ tenant: '', id: first.id }))).toContain('mint');

  const second = await send(client, 'Coffee');
  const declined = message('No', { taskId: second.id });
  const told = await client.sendMessage({
    ...declined,
    message: { ...declined.message, metadata: { action: 'decline' } },
  });
  expect('messageId' in told ? '' : answerOf(told)).toContain('"action":"decline"');

  const third = await send(client, 'Juice');
  expect(stateOf(third)).toBe('TASK_STATE_INPUT_REQUIRED');
  await client.cancelTask({ tenant: '', id: third.id, metadata: undefined });
  expect(await state(third.id)).toBe('TASK_STATE_CANCELED');
  expect(await questions()).toEqual([]);
});

describe.each(BINDINGS)('a server that needs a sign-in over %s', (binding) => {
  it('makes the task auth-required until somebody has signed in', async () => {
    await using server = await startOAuthServer();
    const config = `${agent('private.secret')}[tools.mcp.private]\nurl = "${server.url}"\n`;
    await using at = await stage([call('secret'), repeat, call('secret'), repeat], config);
    const signIn = async (): Promise<void> => {
      const { url } = (await at.hub.request('POST', '/api/upstreams/private/login')).body;
      await fetch(url);
      await expect
        .poll(async () => (await at.hub.request('GET', '/api/upstreams/private/login')).body.state, PATIENCE)
        .toBe('done');
    };
    await signIn();
    server.revoke();
    const client = await connectA2A(at.hub.url, 'waiter', at.hub.token, binding);

    // It continues by itself after a sign-in.
    const task = await send(client, 'Tell me');
    expect(stateOf(task)).toBe('TASK_STATE_AUTH_REQUIRED');
    expect(JSON.stringify(task.status?.message)).toContain("'private' needs a sign-in");
    await signIn();
    const state = async () => stateOf(await client.getTask({ tenant: '', id: task.id }));
    await expect.poll(state, PATIENCE).toBe('TASK_STATE_COMPLETED');
    expect(answerOf(await client.getTask({ tenant: '', id: task.id }))).toBe('It said for members');

    // A message to the task makes it try again; without a sign-in, it asks once more.
    server.revoke();
    const first = await all(client.sendMessageStream(message('Again')));
    expect(describeEvent(first.at(-1) ?? {})).toBe('status TASK_STATE_AUTH_REQUIRED');
    const opening = first[0]?.payload;
    const id = opening?.$case === 'task' ? opening.value.id : '';
    expect(stateOf(await send(client, 'Signed in', { taskId: id }))).toBe('TASK_STATE_AUTH_REQUIRED');
    await signIn();
    await expect
      .poll(async () => stateOf(await client.getTask({ tenant: '', id })), PATIENCE)
      .toBe('TASK_STATE_COMPLETED');
  });
});
