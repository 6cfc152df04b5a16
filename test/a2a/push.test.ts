import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { parseHostGrants } from '../../src/scripting/host/host-grants.ts';
import { deliverToAll } from '../../src/surfaces/a2a/push-delivery.ts';
import { call, held, say } from '../fake-model/script.ts';
import { PATIENCE } from '../patience.ts';
import { stage } from '../publishing/stage.ts';
import { tempFolder } from '../temp-folder.ts';
import { fixture } from '../upstreams/upstream-servers.ts';
import { BINDINGS, connectA2A, message, send } from './a2a-client.ts';

/** Records the notifications; answers with these statuses first, and then with `state.otherwise`. */
async function startReceiver(statuses: number[] = [], headers: Record<string, string> = {}) {
  const seen: { headers: IncomingMessage['headers']; body: unknown }[] = [];
  const refused: number[] = [];
  const state = { otherwise: 200 };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await json(request);
    const status = statuses.shift() ?? state.otherwise;
    if (status === 200) seen.push({ headers: request.headers, body });
    else refused.push(status);
    response.writeHead(status, headers).end();
  };
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    seen,
    refused,
    state,
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}/hook`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const config = (pushHosts: readonly string[] = []) =>
  `[a2a]\npush_hosts = ${JSON.stringify(pushHosts)}\n[agents.planner]\nsystem_prompt = "x"\nmode = "autonomous"\ntools = ["sources"]\n`;

const pushTo = (url: string) => ({
  tenant: '',
  id: 'hook',
  taskId: '',
  url,
  token: 'for-the-receiver',
  authentication: { scheme: 'Bearer', credentials: 'abc' },
});

describe.each(BINDINGS)('push notifications over %s', (binding) => {
  it('report the states of a task and its result, with the given token, and are retried', async () => {
    await using receiver = await startReceiver([503, 429]);
    const first = held('Take the train.');
    await using at = await stage([first.step], config([receiver.host]));
    const client = await connectA2A(at.hub.url, 'planner', at.hub.token, binding);
    const asked = message('Hi', { returnImmediately: true });
    const task = await client.sendMessage({
      ...asked,
      configuration: { ...asked.configuration, taskPushNotificationConfig: pushTo(receiver.url) },
    });
    const taskId = 'messageId' in task ? '' : task.id;
    await expect.poll(() => receiver.seen.length).toBe(1);
    first.release();
    await expect.poll(() => receiver.seen.length).toBe(2);
    expect(receiver.seen).toMatchObject([
      { body: { statusUpdate: { taskId } } },
      { body: { task: { id: taskId, artifacts: [{ parts: [{ text: 'Take the train.' }] }] } } },
    ]);
    expect(receiver.seen[0]?.headers).toMatchObject({
      authorization: 'Bearer abc',
      'x-a2a-notification-token': 'for-the-receiver',
    });
  });

  it('are configured, shown and deleted only by the caller of the task', async () => {
    await using receiver = await startReceiver();
    const first = held('Done.');
    await using at = await stage([first.step], config([receiver.host]));
    const token = async (): Promise<string> =>
      (await at.hub.request('POST', '/api/tokens', { agentId: 'planner' })).body.token;
    const client = await connectA2A(at.hub.url, 'planner', await token(), binding);
    const other = await connectA2A(at.hub.url, 'planner', await token(), binding);
    const { id: taskId } = await send(client, 'Hi', { returnImmediately: true });
    const created = await client.createTaskPushNotificationConfig({ ...pushTo(receiver.url), taskId });
    expect(created).toMatchObject({ id: 'hook', taskId, url: receiver.url });
    const named = { tenant: '', taskId, id: 'hook' };
    expect(await client.getTaskPushNotificationConfig(named)).toEqual(created);
    await expect(other.getTaskPushNotificationConfig(named)).rejects.toThrow('not found');
    await expect(other.createTaskPushNotificationConfig({ ...pushTo(receiver.url), taskId })).rejects.toThrow(
      'not found',
    );
    await expect(other.deleteTaskPushNotificationConfig(named)).rejects.toThrow('not found');
    const all = { tenant: '', taskId, pageSize: 0, pageToken: '' };
    expect((await client.listTaskPushNotificationConfig(all)).configs).toEqual([created]);
    // Credentials are files that only their owner reads, and not in the store, which backups copy.
    const store = readdirSync(at.hub.home).filter((name) => name.startsWith('zoo.db'));
    for (const name of store)
      expect(readFileSync(join(at.hub.home, name), 'latin1')).not.toContain('for-the-receiver');
    const secrets = join(at.hub.home, 'push-credentials');
    const [file = ''] = readdirSync(secrets);
    expect(statSync(join(secrets, file)).mode & 0o777).toBe(0o600);
    await client.deleteTaskPushNotificationConfig(named);
    expect((await client.listTaskPushNotificationConfig(all)).configs).toEqual([]);
    expect(readdirSync(secrets)).toEqual([]);
    await expect(client.getTaskPushNotificationConfig(named)).rejects.toThrow('no push notification config');
    first.release();
  });
});

it('addresses on a private network are called only if the config names them', async () => {
  await using receiver = await startReceiver();
  await using at = await stage([say('x')], config());
  const client = await connectA2A(at.hub.url, 'planner', at.hub.token, 'JSONRPC');
  const { id: taskId } = await send(client, 'Hi');
  const port = receiver.host.split(':')[1];
  for (const url of [
    receiver.url,
    `http://[::1]:${port}/`,
    `http://2130706433:${port}/`,
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    'http://user:password@example.com/',
    'nothing',
  ])
    await expect(client.createTaskPushNotificationConfig({ ...pushTo(url), taskId })).rejects.toThrow(
      /not a public name|not an http|credentials/,
    );
  expect(receiver.seen).toEqual([]);
});

it('a public name that resolves to a private address is not called', async () => {
  await using receiver = await startReceiver();
  const url = receiver.url.replace('127.0.0.1', 'localhost');
  const warnings: unknown[] = [];
  const delivery = {
    log: { warn: (_message: string, fields?: object) => void warnings.push(fields) },
    retryMs: 1,
    // As without push_hosts: names are allowed, and their addresses are checked when they are connected to.
    grants: () => parseHostGrants(['*:*']),
    signal: new AbortController().signal,
  };
  const { authentication: _, ...to } = pushTo(url);
  const pushed = { ...to, taskId: 't', workspace: 'w', scheme: '', credentials: '' };
  const event = { payload: undefined };
  expect(await deliverToAll([pushed], event, delivery)).toEqual([]);
  expect(String(Object.values(warnings[0] ?? {}).at(-1))).toMatch(
    /localhost resolves to (?:127\.0\.0\.1|::1), which is not a public address/,
  );
  expect([receiver.seen, receiver.refused]).toEqual([[], []]);
  const granted = { ...delivery, grants: () => parseHostGrants(['*:*', '127.0.0.1']) };
  expect(await deliverToAll([pushed], event, granted)).toEqual([pushed]);
});

it('the fields of a config are bounded', async () => {
  await using at = await stage([say('x')], config());
  const client = await connectA2A(at.hub.url, 'planner', at.hub.token, 'JSONRPC');
  const { id: taskId } = await send(client, 'Hi');
  const long = 'x'.repeat(5_000);
  const url = 'https://hooks.example.com/';
  for (const more of [{ url: `${url}?${long}` }, { id: long }, { token: long }])
    await expect(
      client.createTaskPushNotificationConfig({ ...pushTo(url), taskId, ...more }),
    ).rejects.toThrow('at most 4096 characters');
});

it('a message with an invalid config starts no task', async () => {
  await using at = await stage([say('x')], config());
  const client = await connectA2A(at.hub.url, 'planner', at.hub.token, 'JSONRPC');
  const asked = message('Hi', { returnImmediately: true });
  const wanted = { ...pushTo('https://hooks.example.com/'), token: 'two\nlines' };
  await expect(
    client.sendMessage({
      ...asked,
      configuration: { ...asked.configuration, taskPushNotificationConfig: wanted },
    }),
  ).rejects.toThrow('must be valid in an HTTP header');
  expect((await at.hub.request('GET', '/api/runs')).body.runs).toEqual([]);
});

it('a failed delivery is retried by the next hub', async () => {
  await using receiver = await startReceiver();
  receiver.state.otherwise = 503;
  await using home = await tempFolder();
  const own = { 'zoo.toml': config([receiver.host]) };
  let taskId = '';
  {
    await using at = await stage([say('Take the train.')], own['zoo.toml'], { home: home.path });
    const client = await connectA2A(at.hub.url, 'planner', at.hub.token, 'JSONRPC');
    ({ id: taskId } = await send(client, 'Hi'));
    await client.createTaskPushNotificationConfig({ ...pushTo(receiver.url), taskId });
    // The first hub gives up after six attempts.
    await expect.poll(() => receiver.refused.length, PATIENCE).toBe(6);
  }
  expect(receiver.seen).toEqual([]);
  receiver.state.otherwise = 200;
  {
    await using at = await stage([], own['zoo.toml'], { home: home.path });
    await expect.poll(() => receiver.seen.length, PATIENCE).toBe(1);
    expect(receiver.seen[0]).toMatchObject({
      headers: { authorization: 'Bearer abc', 'x-a2a-notification-token': 'for-the-receiver' },
      body: { task: { id: taskId, artifacts: [{ parts: [{ text: 'Take the train.' }] }] } },
    });
    await expect.poll(() => at.hub.hub.pushConfigs.unfinished(), PATIENCE).toEqual([]);
  }
});

it('a config that is set while its task ends gets the result', async () => {
  await using receiver = await startReceiver();
  const tasks = Array.from({ length: 8 }, (_, index) => `Answer ${index}.`);
  await using at = await stage(tasks.map(say), config([receiver.host]));
  const client = await connectA2A(at.hub.url, 'planner', at.hub.token, 'JSONRPC');
  const told = (id: string) =>
    new Set(
      receiver.seen
        .filter(({ body }) => JSON.stringify(body).startsWith(`{"task":{"id":"${id}"`))
        .map(({ headers }) => headers['x-a2a-notification-token']),
    ).size;
  for (const text of tasks) {
    const { id: taskId } = await send(client, text, { returnImmediately: true });
    const configs = ['early', 'then', 'late'].map((id) => ({
      ...pushTo(receiver.url),
      id,
      token: id,
      taskId,
    }));
    // Each is set somewhat later than the one before, so that some fall into the end of the task.
    for (const each of configs) await client.createTaskPushNotificationConfig(each);
    await expect.poll(() => told(taskId), PATIENCE).toBe(3);
  }
});

it('the receiver of a revoked token is told nothing more', async () => {
  await using receiver = await startReceiver();
  const first = held('Take the train.');
  await using at = await stage([first.step], config([receiver.host]));
  const { id, token } = (await at.hub.request('POST', '/api/tokens', { agentId: 'planner' })).body;
  const client = await connectA2A(at.hub.url, 'planner', token, 'JSONRPC');
  const asked = message('Hi', { returnImmediately: true });
  const task = await client.sendMessage({
    ...asked,
    configuration: { ...asked.configuration, taskPushNotificationConfig: pushTo(receiver.url) },
  });
  const taskId = 'messageId' in task ? '' : task.id;
  await expect.poll(() => receiver.seen.length).toBe(1);
  await at.hub.request('DELETE', `/api/tokens/${id}`);
  const state = async () => (await at.hub.request('GET', `/api/runs/${taskId}`)).body.state;
  await expect.poll(state, PATIENCE).toBe('cancelled');
  first.release();
  expect(await at.hub.hub.pushConfigs.unfinished()).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(receiver.seen).toHaveLength(1);
});

it('a receiver cannot redirect a notification', async () => {
  await using elsewhere = await startReceiver();
  await using receiver = await startReceiver([], { location: elsewhere.url });
  receiver.state.otherwise = 307;
  await using at = await stage([say('x')], config([receiver.host]));
  const client = await connectA2A(at.hub.url, 'planner', at.hub.token, 'JSONRPC');
  const { id: taskId } = await send(client, 'Hi');
  await client.createTaskPushNotificationConfig({ ...pushTo(receiver.url), taskId });
  await expect.poll(() => receiver.refused, PATIENCE).toEqual([307]);
  await expect.poll(() => at.hub.hub.pushConfigs.unfinished(), PATIENCE).toEqual([]);
  expect(elsewhere.seen).toEqual([]);
});

it('a task that waits for its caller is reported', async () => {
  await using receiver = await startReceiver();
  const asking = config([receiver.host]).replace('"sources"', '"kitchen.order"');
  const kitchen = `tool_permission = "never"\n${fixture('kitchen', 'legacy')}`;
  await using at = await stage([call('order', { as: 'Ann' }), say('Tea.')], `${asking}${kitchen}`);
  await at.hub.request('POST', '/tools/kitchen__who', {});
  const client = await connectA2A(at.hub.url, 'planner', at.hub.token, 'JSONRPC');
  const asked = message('Hi', { returnImmediately: true });
  const task = await client.sendMessage({
    ...asked,
    configuration: { ...asked.configuration, taskPushNotificationConfig: pushTo(receiver.url) },
  });
  const states = () => receiver.seen.map(({ body }) => JSON.stringify(body).match(/TASK_STATE_\w+/)?.[0]);
  await expect.poll(states, PATIENCE).toContain('TASK_STATE_INPUT_REQUIRED');
  await send(client, 'tea', { taskId: 'messageId' in task ? '' : task.id });
  await expect.poll(states, PATIENCE).toContain('TASK_STATE_COMPLETED');
});
