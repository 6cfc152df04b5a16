import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ListTasksRequest, TaskState } from '@a2a-js/sdk';
import { describe, expect, it } from 'vitest';
import { createA2AMount } from '../../src/surfaces/a2a/mount.ts';
import { call, held, lastResult, say, type Step } from '../fake-model/script.ts';
import { PATIENCE } from '../patience.ts';
import { type Stage, stage } from '../publishing/stage.ts';
import { tempFolder } from '../temp-folder.ts';
import { boundToken, PLANNER as OWN } from './planner.ts';
import { all, answerOf, BINDINGS, connectA2A, describeEvent, message, send, stateOf } from './a2a-client.ts';

const connect = async ({ hub }: Stage, binding: (typeof BINDINGS)[number], token = hub.token) =>
  connectA2A(hub.url, 'planner', token, binding);

describe.each(BINDINGS)('an autonomous agent over %s', (binding) => {
  it('answers a message with a finished task, and continues its context', async () => {
    await using at = await stage([say('Take the train.'), say('At noon.')], OWN);
    const client = await connect(at, binding, await boundToken(at));
    const first = await send(client, 'To Paris?');
    expect([stateOf(first), answerOf(first)]).toEqual(['TASK_STATE_COMPLETED', 'Take the train.']);
    const second = await send(client, 'When?', { contextId: first.contextId });
    expect([second.contextId, answerOf(second)]).toEqual([first.contextId, 'At noon.']);
    expect(second.id).not.toBe(first.id);
    expect(at.model.requests.map(({ messages }) => messages.length)).toEqual([1, 3]);
    const task = await client.getTask({ tenant: '', id: first.id });
    expect([task.history.length, answerOf(task)]).toEqual([1, 'Take the train.']);
  });

  it('streams the states and the answer in pieces', async () => {
    await using at = await stage([{ ...call('sources'), text: 'Let me see.' }, say('Take the train.')], OWN);
    const client = await connect(at, binding);
    const events = (await all(client.sendMessageStream(message('To Paris?')))).map(describeEvent);
    expect(events[0]).toBe('task TASK_STATE_SUBMITTED');
    expect(events[1]).toBe('status TASK_STATE_WORKING');
    expect(events.at(-2)).toBe('append "" last');
    expect(events.at(-1)).toBe('status TASK_STATE_COMPLETED');
    const pieces = events.filter((event) => /^(?:piece|append)/.test(event));
    // Words before a tool call are replaced by the answer.
    const last = pieces.slice(pieces.findLastIndex((piece) => piece.startsWith('piece')));
    expect(last.map((piece) => JSON.parse(piece.replace(/^\w+ | last$/g, ''))).join('')).toBe(
      'Take the train.',
    );
  });

  it('streams the whole answer again after a stream that broke', async () => {
    const broken = { ...say('Take the train, I would say.'), cutAfter: 4 };
    await using at = await stage([broken, say('Take the ferry.')], OWN);
    const client = await connect(at, binding);
    const events = (await all(client.sendMessageStream(message('To Oslo?')))).map(describeEvent);
    expect(events.at(-2)).toBe('append "" last');
    const last = events.findLastIndex((event) => event.startsWith('piece'));
    expect(events.slice(0, last).some((event) => event.startsWith('piece'))).toBe(true);
    const pieces = events.slice(last).filter((event) => /^(?:piece|append)/.test(event));
    expect(pieces.map((piece) => JSON.parse(piece.replace(/^\w+ | last$/g, ''))).join('')).toBe(
      'Take the ferry.',
    );
  });

  it('returns at once if asked to, can be subscribed to again, and cancelled', async () => {
    const [first, second] = [held('Done.'), held('Never.')];
    await using at = await stage([first.step, second.step], OWN);
    const client = await connect(at, binding);
    const task = await send(client, 'To Paris?', { returnImmediately: true });
    expect(stateOf(task)).toMatch(/SUBMITTED|WORKING/);
    const subscribed = client.resubscribeTask({ tenant: '', id: task.id });
    const opening = await subscribed.next();
    expect(describeEvent(opening.value ?? {})).toMatch(/^task TASK_STATE_(?:SUBMITTED|WORKING)/);
    first.release();
    expect((await all(subscribed)).map(describeEvent).at(-1)).toBe('status TASK_STATE_COMPLETED');
    await expect(all(client.resubscribeTask({ tenant: '', id: task.id }))).rejects.toThrow('has ended');

    const other = await send(client, 'To Rome?', { returnImmediately: true });
    const cancelled = await client.cancelTask({ tenant: '', id: other.id, metadata: undefined });
    expect(stateOf(cancelled)).toBe('TASK_STATE_CANCELED');
    await expect(client.cancelTask({ tenant: '', id: other.id, metadata: undefined })).rejects.toThrow(
      'has ended',
    );
    second.release();
  });

  it('lists tasks by context, state and page', async () => {
    const steps = [say('1'), say('2'), say('3'), { status: 400, message: 'No.' }, { refused: true } as const];
    await using at = await stage(steps, OWN);
    const client = await connect(at, binding);
    const first = await send(client, 'one');
    await send(client, 'two', { contextId: first.contextId });
    await send(client, 'three');
    expect(stateOf(await send(client, 'four'))).toBe('TASK_STATE_FAILED');
    expect(stateOf(await send(client, 'five'))).toBe('TASK_STATE_REJECTED');
    const list = (filter: object) => client.listTasks({ ...ListTasksRequest.fromJSON({}), ...filter });
    expect((await list({})).totalSize).toBe(5);
    expect((await list({ contextId: first.contextId })).tasks).toHaveLength(2);
    for (const status of [TaskState.TASK_STATE_FAILED, TaskState.TASK_STATE_REJECTED])
      expect((await list({ status })).tasks).toMatchObject([{ status: { state: status } }]);
    expect(await list({ status: TaskState.TASK_STATE_COMPLETED, pageSize: 2 })).toMatchObject({
      totalSize: 3,
    });
    expect((await list({ status: TaskState.TASK_STATE_AUTH_REQUIRED })).tasks).toEqual([]);
    const page = await list({ pageSize: 3 });
    const rest = await list({ pageSize: 3, pageToken: page.nextPageToken });
    expect([page.tasks.length, rest.tasks.length, rest.nextPageToken]).toEqual([3, 2, '']);
    expect(page.tasks.map(answerOf)).toEqual(['', '', '']);
    const withAnswers = await list({ includeArtifacts: true, contextId: first.contextId });
    expect(withAnswers.tasks.map(answerOf).toSorted()).toEqual(['1', '2']);
    await expect(list({ pageSize: 1_000 })).rejects.toThrow('pageSize');
  });

  it('shows a caller its own tasks and contexts only', async () => {
    await using at = await stage([say('mine'), say('other')], OWN);
    const [one, two] = [
      await connect(at, binding, await boundToken(at)),
      await connect(at, binding, await boundToken(at)),
    ];
    const { id, contextId } = await send(one, 'hi');
    await expect(two.getTask({ tenant: '', id })).rejects.toThrow('not found');
    await expect(two.cancelTask({ tenant: '', id, metadata: undefined })).rejects.toThrow('not found');
    await expect(all(two.resubscribeTask({ tenant: '', id }))).rejects.toThrow('not found');
    await expect(send(two, 'go on', { contextId })).rejects.toThrow('No context');
    await expect(send(two, 'go on', { taskId: id })).rejects.toThrow('not found');
    expect((await two.listTasks(ListTasksRequest.fromJSON({}))).tasks).toEqual([]);
    expect((await one.listTasks(ListTasksRequest.fromJSON({}))).tasks).toHaveLength(1);
  });

  it('rejects unsupported messages with errors of the protocol', async () => {
    await using at = await stage([say('done')], OWN);
    const client = await connect(at, binding);
    const { id } = await send(client, 'hi');
    await expect(send(client, 'more', { taskId: id })).rejects.toThrow('has ended');
    await expect(send(client, '')).rejects.toThrow('must not be empty');
    await expect(send(client, 'x', { contextId: 'nowhere' })).rejects.toThrow('nowhere');
    await expect(client.getTask({ tenant: '', id: 'nothing' })).rejects.toThrow('not found');
    await expect(client.getTask({ tenant: '', id: ' ' })).rejects.toThrow('task id');
    const card = await client.getAgentCard();
    expect(card.name).toBe('Planner');
  });
});

describe('bad input', () => {
  const rpc = (at: Stage, body: unknown, headers: Record<string, string> = { 'a2a-version': '1.0' }) =>
    at.hub.request('POST', '/a2a/planner', body, { 'content-type': 'application/json', ...headers });

  it('is answered with an error of the protocol, never with an internal error', async () => {
    await using at = await stage([], OWN);
    expect((await rpc(at, '{')).body.error.code).toBe(-32700);
    expect((await rpc(at, '['.repeat(10_000))).body.error.code).toBe(-32700);
    for (const body of ['[]', '1', '"x"', 'null']) expect((await rpc(at, body)).body.error.code).toBe(-32600);
    const request = { jsonrpc: '2.0', id: 1, method: 'SendMessage' };
    expect((await rpc(at, { ...request, method: 'Unknown', params: {} })).body.error.code).toBe(-32601);
    for (const wrong of [{ jsonrpc: '1.0' }, { jsonrpc: undefined }, { method: undefined }, { id: {} }])
      expect((await rpc(at, { ...request, ...wrong })).body.error.code).toBe(-32600);
    expect((await rpc(at, { ...request, params: {} })).body.error.code).toBe(-32602);
    const said = { messageId: 'm', parts: [{ text: 'hi' }] };
    expect((await rpc(at, { ...request, params: { message: said } })).body.error.message).toContain('role');
    const message = { ...said, role: 'ROLE_USER' };
    const negative = { ...request, params: { message, configuration: { historyLength: -1 } } };
    expect((await rpc(at, negative)).body.error.code).toBe(-32602);
    expect((await at.hub.request('GET', '/api/runs')).body.total).toBe(0);
    const list = { ...request, method: 'ListTasks' };
    for (const params of [{ status: 'x' }, { historyLength: -1 }, { statusTimestampAfter: 'May 1' }])
      expect((await rpc(at, { ...list, params })).body.error.code).toBe(-32602);
    expect((await rpc(at, { ...request, params: 'x' })).body.error.code).toBe(-32602);
    expect((await rpc(at, request, { 'a2a-version': '7.0' })).body.error.code).toBe(-32009);
    const huge = JSON.stringify({ ...request, params: { text: 'x'.repeat(17 * 1024 * 1024) } });
    expect((await rpc(at, huge)).status).toBeLessThan(500);
    const get = await at.hub.request('GET', '/a2a/planner');
    expect(get.status).toBe(405);
    for (const path of ['/tasks/x', '/nothing', '/tasks?pageSize=x', '/tasks/%00:cancel']) {
      const { status } = await at.hub.request('GET', `/a2a/planner/v1${path}`, undefined, {
        'a2a-version': '1.0',
      });
      expect([path, status >= 400 && status < 500]).toEqual([path, true]);
    }
  });

  it('a token of another agent is refused', async () => {
    await using at = await stage([], OWN);
    const headers = { authorization: `Bearer ${await boundToken(at, 'private')}`, 'a2a-version': '1.0' };
    expect((await rpc(at, { jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {} }, headers)).status).toBe(
      403,
    );
    expect((await at.hub.request('GET', '/a2a/planner/v1/tasks', undefined, headers)).status).toBe(403);
  });

  it('a client of version 0.3 is served over JSON-RPC', async () => {
    await using at = await stage([say('Hello.')], OWN);
    const params = {
      message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
    };
    const { body } = await rpc(at, { jsonrpc: '2.0', id: 1, method: 'message/send', params }, {});
    expect(body.result).toMatchObject({ kind: 'task', status: { state: 'completed' } });
    const get = { jsonrpc: '2.0', id: 2, params: { id: body.result.id } };
    const named = { 'a2a-version': '0.3' };
    expect((await rpc(at, { ...get, method: 'tasks/get' }, named)).body.result).toMatchObject({
      kind: 'task',
      artifacts: [{ parts: [{ kind: 'text', text: 'Hello.' }] }],
    });
    // Each version has its own methods; without a header, it is 0.3.
    expect((await rpc(at, { ...get, method: 'GetTask' }, {})).body.error.code).toBe(-32601);
    expect((await rpc(at, { ...get, method: 'tasks/get' })).body.error.code).toBe(-32601);
    expect((await rpc(at, { ...get, method: 'GetTask' })).body.result).toMatchObject({ id: body.result.id });
    const rest = await at.hub.request('GET', `/a2a/planner/v1/tasks/${body.result.id}`, undefined, named);
    expect([rest.status, JSON.stringify(rest.body)]).toEqual([
      400,
      expect.stringContaining('A2A-Version: 1.0'),
    ]);
  });
});

it('the task of a client that disconnects keeps running, and its result is stored', async () => {
  const first = held('Done.');
  await using at = await stage([first.step], OWN);
  const client = await connect(at, 'JSONRPC');
  const gone = new AbortController();
  const stream = client.sendMessageStream(message('hi'), { signal: gone.signal });
  const opening = await stream.next();
  const id = opening.value?.payload?.$case === 'task' ? opening.value.payload.value.id : '';
  gone.abort();
  await stream.next().catch(() => undefined);
  first.release();
  await expect
    .poll(async () => stateOf(await client.getTask({ tenant: '', id })))
    .toBe('TASK_STATE_COMPLETED');
});

it('a context expires after the idle time in the config', async () => {
  const config = `${OWN}[a2a]\ncontext_hours = 0.0001\n`;
  await using at = await stage([say('Here.')], config);
  const client = await connect(at, 'JSONRPC');
  const { id, contextId } = await send(client, 'hi');
  const { contextIdleMs } = at.hub.hub.a2aSettings();
  const { updatedAt } = (await at.hub.request('GET', `/api/chats/${contextId}`)).body;
  await expect.poll(() => Date.now() - Date.parse(updatedAt)).toBeGreaterThan(contextIdleMs);
  await expect(send(client, 'still there?', { contextId })).rejects.toThrow('No context');
  // Its task can still be read.
  expect(answerOf(await client.getTask({ tenant: '', id }))).toBe('Here.');
});

it('old conversations are removed, and those of the operator are kept', async () => {
  await using home = await tempFolder();
  await using folder = await tempFolder();
  const same = { home: home.path, folder: folder.path };
  {
    await using at = await stage([say('Here.')], OWN, same);
    await send(await connect(at, 'JSONRPC'), 'hi');
    await at.hub.request('POST', '/api/chats', { agent: 'planner', title: 'Mine' });
  }
  await using at = await stage([], `${OWN}[runner]\nkeep_days = 0\n`, same);
  const titles = async () =>
    (await at.hub.request('GET', '/api/chats')).body.chats.map(({ title }: { title: string }) => title);
  await expect.poll(titles, PATIENCE).toEqual(['Mine']);
});

it('a part of 10 MB is accepted', async () => {
  await using at = await stage([say('Seen.')], OWN);
  const client = await connect(at, 'HTTP+JSON');
  const asked = message('Look');
  const data = Buffer.alloc(10 * 1024 * 1024, 'x');
  const image = { content: { $case: 'raw', value: data }, metadata: undefined, filename: 'x.png' } as const;
  const parts = [...asked.message.parts, { ...image, mediaType: 'image/png' }];
  const task = await client.sendMessage({ ...asked, message: { ...asked.message, parts } });
  expect('messageId' in task ? '' : [stateOf(task), answerOf(task)]).toEqual([
    'TASK_STATE_COMPLETED',
    'Seen.',
  ]);
});

it('runs are headless: tools that need permission are not offered, and nobody is asked', async () => {
  const brain = 'agent_zoo_delete_brain_entry';
  const config = OWN.replace('["sources"]', `["sources", "${brain}"]`);
  const insists: Step = { calls: [{ tool: brain, arguments: { id: 'x' }, invented: true }] };
  await using at = await stage([insists, (request) => say(lastResult(request))], config);
  const client = await connect(at, 'JSONRPC', await boundToken(at));
  const task = await send(client, 'Forget it');
  expect(stateOf(task)).toBe('TASK_STATE_COMPLETED');
  expect(answerOf(task)).toContain('PERMISSION_DENIED');
  expect(at.model.requests[0]?.tools.map(({ name }) => name)).toEqual(['sources']);
  expect((await at.hub.request('GET', '/api/questions')).body.questions).toEqual([]);
  const events = String((await at.hub.request('GET', `/api/runs/${task.id}/events`)).body);
  expect(events).not.toMatch(/approval-requested|question-asked/);
});

it('a thousand idle contexts use no memory, and each of them can be continued', async () => {
  await using at = await stage([{ ...say('Still here.'), again: true }], OWN);
  const { hub } = at.hub;
  const mount = createA2AMount(hub, { log: { warn: () => undefined, error: () => undefined } });
  const context = { ...hub.localContext(await hub.workspaceFor(undefined)), surface: 'a2a' } as const;
  // Every run, listener and wait of a context references its caller.
  const callers: WeakRef<object>[] = [];
  const asCaller = () => {
    const caller = { kind: 'operator' } as const;
    callers.push(new WeakRef(caller));
    return { ...context, caller };
  };
  const begin = async (): Promise<string> => {
    const body = { agent: 'planner', headless: true };
    return (await hub.operations.createChat({ body }, asCaller())).id;
  };
  const use = async (contextId: string): Promise<string> => {
    const body = JSON.stringify({
      message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }], contextId },
    });
    const headers = { 'a2a-version': '1.0' };
    const request = new Request(`${at.hub.url}/a2a/planner/v1/message:send`, {
      method: 'POST',
      headers,
      body,
    });
    return (await mount.handle(request, asCaller())).text();
  };
  const ids = await Promise.all(Array.from({ length: 1_000 }, begin));
  for (const id of ids.slice(0, 50)) expect(await use(id)).toContain('Still here.');
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const alive = (): number => {
    collect();
    return callers.filter((caller) => caller.deref()).length;
  };
  // A value of the last call may still be on the stack.
  await expect.poll(alive, PATIENCE).toBeLessThan(5);
  await mount.close();
  const client = await connect(at, 'JSONRPC');
  const task = await send(client, 'hi', { contextId: ids[500] ?? '' });
  expect([task.contextId, answerOf(task)]).toEqual([ids[500], 'Still here.']);
  expect((await client.listTasks(ListTasksRequest.fromJSON({}))).totalSize).toBe(51);
});
