import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { held, say } from '../fake-model/script.ts';
import { stage } from '../publishing/stage.ts';
import { BINDINGS, connectA2A, message, send } from './a2a-client.ts';

/** Notes what it is told; answers with these statuses first. */
async function startReceiver(statuses: number[] = []) {
  const seen: { headers: IncomingMessage['headers']; body: unknown }[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await json(request);
    const status = statuses.shift() ?? 200;
    if (status === 200) seen.push({ headers: request.headers, body });
    response.writeHead(status).end();
  };
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    seen,
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
    await client.deleteTaskPushNotificationConfig(named);
    expect((await client.listTaskPushNotificationConfig(all)).configs).toEqual([]);
    await expect(client.getTaskPushNotificationConfig(named)).rejects.toThrow('no push notification config');
    first.release();
  });
});

it('no address on a private network is called, unless the config names it', async () => {
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
