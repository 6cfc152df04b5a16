import { type Server, type Socket, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../../test/temp-folder.ts';
import { createLineReader } from '../../../platform/bridge/lines.ts';
import { createLedger } from './ledger.ts';
import { startRelay } from '../../../platform/bridge/relay.ts';

type Json = { [key: string]: unknown };

/** Messages as they come, one at a time. */
function mailbox() {
  const messages: Json[] = [];
  const waiting: ((message: Json) => void)[] = [];
  const read = createLineReader((line) => {
    const message = JSON.parse(line.toString());
    const next = waiting.shift();
    if (next) next(message);
    else messages.push(message);
  });
  return {
    read,
    messages,
    next: async (): Promise<Json> =>
      messages.shift() ?? (await new Promise<Json>((resolve) => waiting.push(resolve))),
  };
}

/** A relay between a client and a hub that the test controls. */
async function stage() {
  const folder = await tempFolder();
  const path = join(folder.path, 'hub.sock');
  const arrivals = new Set<Socket>();
  const greeted: ((socket: Socket) => void)[] = [];
  let server: Server | null = null;
  const listen = () =>
    new Promise<void>((resolve) => {
      server = createServer((socket) => {
        arrivals.add(socket);
        socket.on('error', () => undefined);
        greeted.shift()?.(socket);
      }).listen(path, resolve);
    });
  await listen();
  const input = new PassThrough();
  const output = new PassThrough();
  const client = mailbox();
  output.on('data', client.read);
  let reached = 0;
  let unwanted = 0;
  const relay = startRelay({
    input,
    output,
    ledger: createLedger(),
    async reach(isWanted) {
      while (!isWanted()) {
        unwanted += 1;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      reached += 1;
      const socket = connect(path);
      await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
      return socket;
    },
  });
  return {
    client,
    output,
    relay,
    reached: () => reached,
    unwanted: () => unwanted,
    send: (message: object | string) =>
      void input.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`),
    write: (bytes: Buffer) => void input.write(bytes),
    /** The next connection, as the hub sees it. */
    async hub() {
      const known = [...arrivals][0];
      const socket = known ?? (await new Promise<Socket>((resolve) => greeted.push(resolve)));
      arrivals.delete(socket);
      const { read, next, messages } = mailbox();
      socket.on('data', read);
      return {
        socket,
        next,
        messages,
        send: (message: object) => void socket.write(`${JSON.stringify(message)}\n`),
        die: () => void socket.destroy(),
      };
    },
    async [Symbol.asyncDispose]() {
      relay.end();
      server?.close();
      for (const socket of arrivals) socket.destroy();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const request = (id: number, method: string, params: Json = {}) => ({ jsonrpc: '2.0', id, method, params });
const result = (id: unknown, value: Json = {}) => ({ jsonrpc: '2.0', id, result: value });
const capabilities = { tools: { listChanged: true }, prompts: { listChanged: true }, resources: {} };

type Stage = Awaited<ReturnType<typeof stage>>;

async function greet({ send, client }: Stage, hub: Awaited<ReturnType<Stage['hub']>>) {
  send(request(0, 'initialize', { protocolVersion: '2025-11-25' }));
  expect(await hub.next()).toMatchObject({ id: 0, method: 'initialize' });
  hub.send(result(0, { capabilities }));
  expect(await client.next()).toMatchObject({ id: 0 });
  send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  expect(await hub.next()).toMatchObject({ method: 'notifications/initialized' });
}

/** The handshake with the next hub. */
async function regreet(hub: Awaited<ReturnType<Stage['hub']>>) {
  const { id, ...rest } = await hub.next();
  expect(rest).toMatchObject({ method: 'initialize', params: { protocolVersion: '2025-11-25' } });
  hub.send(result(id, { capabilities }));
  expect(await hub.next()).toMatchObject({ method: 'notifications/initialized' });
}

test('bytes pass unchanged in both directions', async () => {
  await using on = await stage();
  const hub = await on.hub();
  on.send('{"jsonrpc":"2.0", "id":7,"method":"odd/method", "params":{"ü":1.0}}\n');
  expect(await hub.next()).toEqual({ jsonrpc: '2.0', id: 7, method: 'odd/method', params: { ü: 1 } });
  hub.send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 7, progress: 1 } });
  expect(await on.client.next()).toMatchObject({ method: 'notifications/progress' });
  on.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } });
  expect(await hub.next()).toMatchObject({ method: 'notifications/cancelled' });
});

test('a line of several megabytes arrives whole, however it was split', async () => {
  await using on = await stage();
  const hub = await on.hub();
  const text = '日本語 🦒 '.repeat(200_000);
  const bytes = Buffer.from(`${JSON.stringify(request(1, 'prompts/get', { text }))}\n`);
  for (let at = 0; at < bytes.length; at += 70_001) on.write(bytes.subarray(at, at + 70_001));
  expect(await hub.next()).toMatchObject({ id: 1, params: { text } });
  hub.send(result(1, { text }));
  expect(await on.client.next()).toEqual(result(1, { text }));
});

test('a client that does not read stops the hub, not the bridge', async () => {
  await using on = await stage();
  const hub = await on.hub();
  on.output.pause();
  const line = Buffer.from(`${JSON.stringify(result(1, { text: 'x'.repeat(100_000) }))}\n`);
  let written = 0;
  while (hub.socket.write(line) && written < 10_000) {
    written += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(written).toBeLessThan(1000);
  on.output.resume();
  await new Promise((resolve) => hub.socket.once('drain', resolve));
  expect(await on.client.next()).toMatchObject({ id: 1 });
});

test('invalid messages get an error and change nothing', async () => {
  await using on = await stage();
  const hub = await on.hub();
  on.send('{"jsonrpc":\n\n42\n[]\n');
  expect(await on.client.next()).toMatchObject({ id: null, error: { code: -32_700 } });
  expect(await on.client.next()).toMatchObject({ id: null, error: { code: -32_600 } });
  expect(await on.client.next()).toMatchObject({ id: null, error: { code: -32_600 } });
  on.send(`[${JSON.stringify(request(1, 'ping'))},${JSON.stringify(request(2, 'ping'))}]\n`);
  expect(await hub.next()).toMatchObject({ id: 1 });
  expect(await hub.next()).toMatchObject({ id: 2 });
});

test('after a restart, reads are retried and writes are not, and errors say which', async () => {
  await using on = await stage();
  const hub = await on.hub();
  await greet(on, hub);
  on.send(request(1, 'tools/list'));
  await hub.next();
  const tools = [{ name: 'look', annotations: { readOnlyHint: true } }, { name: 'do' }];
  hub.send(result(1, { tools }));
  await on.client.next();
  on.send(request(2, 'tools/call', { name: 'look' }));
  on.send(request(3, 'tools/call', { name: 'do' }));
  on.send(request(4, 'resources/read', { uri: 'x' }));
  for (const id of [2, 3, 4]) expect(await hub.next()).toMatchObject({ id });
  hub.die();
  expect(await on.client.next()).toMatchObject({
    id: 3,
    error: { code: -32_000, message: expect.stringContaining('do'), data: { happened: 'maybe' } },
  });
  on.send(request(5, 'tools/call', { name: 'do' }));
  const next = await on.hub();
  await regreet(next);
  for (const id of [2, 4, 5]) expect(await next.next()).toMatchObject({ id });
  expect(await on.client.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
  expect(await on.client.next()).toMatchObject({ method: 'notifications/prompts/list_changed' });
  for (const id of [5, 2, 4]) next.send(result(id));
  for (const id of [5, 2, 4]) expect(await on.client.next()).toMatchObject({ id });
  expect(on.client.messages).toEqual([]);
});

test('a write with an idempotency key is retried under the same key', async () => {
  await using on = await stage();
  const hub = await on.hub();
  await greet(on, hub);
  on.send(request(1, 'tools/list'));
  await hub.next();
  hub.send(result(1, { tools: [{ name: 'write', _meta: { 'agent-zoo/once': true } }] }));
  await on.client.next();
  on.send(request(2, 'tools/call', { name: 'write', _meta: { progressToken: 7 } }));
  on.send(request(3, 'tools/call', { name: 'write' }));
  const first = [await hub.next(), await hub.next()];
  expect(first[0]).toMatchObject({
    id: 2,
    params: { name: 'write', _meta: { progressToken: 7, 'agent-zoo/idempotency-key': expect.any(String) } },
  });
  expect(JSON.stringify(first[0]?.['params'])).not.toBe(JSON.stringify(first[1]?.['params']));
  hub.die();
  const next = await on.hub();
  await regreet(next);
  expect([await next.next(), await next.next()]).toEqual(first);
});

test('subscriptions and the log level are restored at the next hub, and all lists are reported as changed', async () => {
  await using on = await stage();
  const hub = await on.hub();
  await greet(on, hub);
  const asked: [string, Json][] = [
    ['resources/subscribe', { uri: 'a' }],
    ['resources/subscribe', { uri: 'b' }],
    ['resources/unsubscribe', { uri: 'a' }],
    ['logging/setLevel', { level: 'debug' }],
  ];
  for (const [at, [method, params]] of asked.entries()) {
    on.send(request(at + 1, method, params));
    await hub.next();
    hub.send(result(at + 1));
    await on.client.next();
  }
  hub.die();
  const next = await on.hub();
  await regreet(next);
  expect(await next.next()).toMatchObject({ method: 'logging/setLevel', params: { level: 'debug' } });
  const { id } = await next.next();
  next.send(result(id));
  await on.client.next();
  await on.client.next();
  expect(await on.client.next()).toMatchObject({
    method: 'notifications/resources/updated',
    params: { uri: 'b' },
  });
  next.send({ jsonrpc: '2.0', method: 'notifications/message', params: {} });
  expect(await on.client.next()).toMatchObject({ method: 'notifications/message' });
});

test('change streams continue at the next hub without interruption', async () => {
  await using on = await stage();
  const hub = await on.hub();
  const meta = { 'io.modelcontextprotocol/subscriptionId': 1 };
  const filter = { toolsListChanged: true, resourceSubscriptions: ['a'] };
  const acknowledged = {
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: filter, _meta: meta },
  };
  on.send(request(1, 'subscriptions/listen', { notifications: filter }));
  await hub.next();
  hub.send(acknowledged);
  expect(await on.client.next()).toEqual(acknowledged);
  // The messages that a stopping hub sends to its streams.
  hub.send({ jsonrpc: '2.0', id: 1, result: { resultType: 'complete', _meta: meta } });
  hub.socket.end();
  const next = await on.hub();
  expect(await next.next()).toMatchObject({ id: 1, method: 'subscriptions/listen' });
  next.send(acknowledged);
  expect(await on.client.next()).toMatchObject({
    method: 'notifications/tools/list_changed',
    params: { _meta: meta },
  });
  expect(await on.client.next()).toMatchObject({
    method: 'notifications/resources/updated',
    params: { uri: 'a' },
  });
  on.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  await next.next();
  next.die();
  const last = await on.hub();
  on.send(request(2, 'ping'));
  expect(await last.next()).toMatchObject({ id: 2 });
  expect(on.client.messages).toEqual([]);
});

test('questions of a stopped hub are cancelled, and late answers do not reach the next one', async () => {
  await using on = await stage();
  const hub = await on.hub();
  hub.send(request(0, 'elicitation/create', { message: 'first?' }));
  expect(await on.client.next()).toMatchObject({ id: 0, params: { message: 'first?' } });
  on.send(result(0, { action: 'accept' }));
  expect(await hub.next()).toEqual(result(0, { action: 'accept' }));
  hub.send(request(1, 'elicitation/create', { message: 'second?' }));
  await on.client.next();
  hub.die();
  expect(await on.client.next()).toMatchObject({
    method: 'notifications/cancelled',
    params: { requestId: 1 },
  });
  const next = await on.hub();
  next.send(request(1, 'elicitation/create', { message: 'third?' }));
  const { id } = await on.client.next();
  expect(id).not.toBe(1);
  on.send(result(1, { action: 'accept', late: true }));
  on.send(result(id, { action: 'decline' }));
  expect(await next.next()).toEqual(result(1, { action: 'decline' }));
});

test('requests cancelled while no hub runs are never sent', async () => {
  await using on = await stage();
  const hub = await on.hub();
  on.send(request(1, 'prompts/list'));
  await hub.next();
  hub.die();
  await new Promise((resolve) => hub.socket.once('close', resolve));
  on.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  on.send(request(2, 'tools/call', { name: 'do' }));
  on.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } });
  on.send(request(3, 'ping'));
  const next = await on.hub();
  // The first may have been on its way again by the time it was cancelled.
  const seen = await next.next();
  expect([1, 3]).toContain(seen['id']);
});

test('after a deliberate stop, the bridge reconnects only when the client sends a request', async () => {
  await using on = await stage();
  const hub = await on.hub();
  await greet(on, hub);
  hub.send({ jsonrpc: '2.0', method: 'zoo/stopping' });
  hub.socket.end();
  await expect.poll(on.unwanted).toBeGreaterThan(3);
  expect(on.reached()).toBe(1);
  on.send(request(1, 'ping'));
  const next = await on.hub();
  await regreet(next);
  expect(await next.next()).toMatchObject({ id: 1, method: 'ping' });
});

test('a read that crashes every hub is not retried forever', async () => {
  await using on = await stage();
  on.send(request(1, 'prompts/get', { name: 'poison' }));
  for (let n = 0; n < 3; n += 1) {
    const hub = await on.hub();
    expect(await hub.next()).toMatchObject({ id: 1 });
    hub.die();
  }
  expect(await on.client.next()).toMatchObject({
    id: 1,
    error: { message: expect.stringContaining('safe to retry'), data: { happened: 'no' } },
  });
});
