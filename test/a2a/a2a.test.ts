import { ListTasksRequest, TaskState } from '@a2a-js/sdk';
import { describe, expect, it } from 'vitest';
import { call, held, say } from '../fake-model/script.ts';
import { type Stage, stage } from '../publishing/stage.ts';
import { startHub } from '../start-hub.ts';
import { all, answerOf, BINDINGS, connectA2A, describeEvent, message, send, stateOf } from './a2a-client.ts';

const OWN = `
[agents.planner]
name = "Planner"
description = "Plans trips."
version = "1.2.3"
mode = "autonomous"
system_prompt = "The password is hunter2."
tools = ["sources"]

[[agents.planner.skills]]
name = "Trains"
description = "Prefer trains, the secret discount is 42."

[agents.private]
system_prompt = "x"
`;

const connect = async ({ hub }: Stage, binding: (typeof BINDINGS)[number], token = hub.token) =>
  connectA2A(hub.url, 'planner', token, binding);

const boundToken = async ({ hub }: Stage, agentId = 'planner'): Promise<string> =>
  (await hub.request('POST', '/api/tokens', { agentId })).body.token;

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
    await using at = await stage([say('1'), say('2'), say('3'), { status: 400, message: 'No.' }], OWN);
    const client = await connect(at, binding);
    const first = await send(client, 'one');
    await send(client, 'two', { contextId: first.contextId });
    await send(client, 'three');
    expect(stateOf(await send(client, 'four'))).toBe('TASK_STATE_FAILED');
    const list = (filter: object) => client.listTasks({ ...ListTasksRequest.fromJSON({}), ...filter });
    expect((await list({})).totalSize).toBe(4);
    expect((await list({ contextId: first.contextId })).tasks).toHaveLength(2);
    expect((await list({ status: TaskState.TASK_STATE_FAILED })).tasks).toHaveLength(1);
    expect((await list({ status: TaskState.TASK_STATE_AUTH_REQUIRED })).tasks).toEqual([]);
    const page = await list({ pageSize: 3 });
    const rest = await list({ pageSize: 3, pageToken: page.nextPageToken });
    expect([page.tasks.length, rest.tasks.length, rest.nextPageToken]).toEqual([3, 1, '']);
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
    await expect(send(two, 'go on', { contextId })).rejects.toThrow('not found');
    await expect(send(two, 'go on', { taskId: id })).rejects.toThrow('not found');
    expect((await two.listTasks(ListTasksRequest.fromJSON({}))).tasks).toEqual([]);
    expect((await one.listTasks(ListTasksRequest.fromJSON({}))).tasks).toHaveLength(1);
  });

  it('refuses messages that it cannot take, with the errors of the protocol', async () => {
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

describe('the card of an agent', () => {
  it('is public for autonomous agents only, and holds no prompt and no tool', async () => {
    await using at = await stage([], OWN);
    const get = (path: string) => at.hub.request('GET', path, undefined, { authorization: '' });
    const own = await get('/a2a/planner/.well-known/agent-card.json');
    expect(own).toMatchObject({
      status: 200,
      body: {
        name: 'Planner',
        description: 'Plans trips.',
        version: '1.2.3',
        capabilities: { streaming: true },
        skills: [{ id: 'trains', name: 'Trains' }],
        supportedInterfaces: expect.arrayContaining([
          expect.objectContaining({ url: `${at.hub.url}/a2a/planner`, protocolBinding: 'JSONRPC' }),
        ]),
      },
    });
    expect(JSON.stringify(own.body)).not.toMatch(/hunter2|discount|sources/);
    // The only one is also that of the hub.
    expect((await get('/.well-known/agent-card.json')).body).toEqual(own.body);
    for (const id of ['private', 'nobody', '%zz'])
      expect((await get(`/a2a/${id}/.well-known/agent-card.json`)).status).toBe(404);
    expect((await get('/a2a/planner/v1/tasks')).status).toBe(401);
    expect((await at.hub.request('POST', '/a2a/planner', {}, { authorization: '' })).status).toBe(401);
  });

  it('does not exist before its workspace is approved', async () => {
    const theirs = '[agents.theirs]\nsystem_prompt = "x"\nmode = "autonomous"\n';
    await using hub = await startHub(
      { 'zoo.toml': `${theirs}[tools.mcp.evil]\ncommand = "true"\n` },
      { own: { 'zoo.toml': OWN } },
    );
    const get = (path: string) => hub.request('GET', path, undefined, { authorization: '' });
    expect((await get('/a2a/theirs/.well-known/agent-card.json')).status).toBe(404);
    expect((await get('/.well-known/agent-card.json')).body).toMatchObject({ name: 'Planner' });
    const refused = await hub.request('POST', '/a2a/theirs', { jsonrpc: '2.0', id: 1, method: 'GetTask' });
    expect(refused.status).toBe(404);
    expect(JSON.stringify(refused.body)).not.toContain(hub.folder);
  });

  it('ignores the default and the context hours of a config that was not approved', async () => {
    await using hub = await startHub(
      { 'zoo.toml': '[a2a]\ndefault = "other"\ncontext_hours = 0.001\n' },
      { own: { 'zoo.toml': `${OWN}[a2a]\ndefault = "planner"\n[agents.other]\nmode = "autonomous"\n` } },
    );
    const { body } = await hub.request('GET', '/.well-known/agent-card.json');
    expect(body).toMatchObject({ name: 'Planner' });
    expect(hub.hub.a2aSettings().contextIdleMs).toBe(24 * 60 * 60 * 1_000);
  });

  it('has the skills that the agent lists for A2A, the address of the config and its default', async () => {
    const second = `${OWN}
[a2a]
default = "second"
url = "https://zoo.example.com/"
[agents.second]
mode = "autonomous"
[[agents.second.a2a_skills]]
id = "plan"
name = "Plan"
description = "Plans a trip."
tags = ["travel"]
examples = ["Plan a weekend in Rome"]
`;
    await using at = await stage([], second);
    const { body } = await at.hub.request('GET', '/.well-known/agent-card.json');
    expect(body.skills).toMatchObject([
      {
        id: 'plan',
        name: 'Plan',
        description: 'Plans a trip.',
        tags: ['travel'],
        examples: ['Plan a weekend in Rome'],
      },
    ]);
    expect(body.supportedInterfaces[0].url).toBe('https://zoo.example.com/a2a/second');
  });
});

describe('bad input', () => {
  const rpc = (at: Stage, body: unknown, headers: Record<string, string> = { 'a2a-version': '1.0' }) =>
    at.hub.request('POST', '/a2a/planner', body, { 'content-type': 'application/json', ...headers });

  it('is answered with an error of the protocol, never with a failure of the hub', async () => {
    await using at = await stage([], OWN);
    expect((await rpc(at, '{')).body.error.code).toBe(-32700);
    expect((await rpc(at, '['.repeat(10_000))).body.error.code).toBe(-32700);
    for (const body of ['[]', '1', '"x"', 'null']) expect((await rpc(at, body)).body.error.code).toBe(-32600);
    const request = { jsonrpc: '2.0', id: 1, method: 'SendMessage' };
    expect((await rpc(at, { ...request, method: 'Unknown', params: {} })).body.error.code).toBe(-32601);
    expect((await rpc(at, { ...request, params: {} })).body.error.code).toBe(-32602);
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
  });
});

it('a client that vanishes leaves its task running, and its result is kept', async () => {
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
