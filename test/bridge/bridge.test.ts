import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { homeFiles } from '../../src/platform/home/paths.ts';
import { bridgeHome, eras, initialize, isAlive, until, withoutWaiting } from './bridge-home.ts';

const textOf = (result: unknown): string =>
  (result as { content: { text: string }[] }).content.map(({ text }) => text).join('');

describe.each(eras)('a client of the %s era', (era) => {
  test('uses a hub that its bridge starts', async () => {
    await using home = await bridgeHome();
    await using bridge = await home.connect({ era });
    expect(bridge.client.getNegotiatedProtocolVersion()).toBe(era === 'modern' ? '2026-07-28' : '2025-11-25');
    const { tools } = await bridge.client.listTools();
    expect(tools.map(({ name }) => name)).toContain('agent_zoo_inject');
    const listed = await bridge.client.callTool({ name: 'agent_zoo_list_agents', arguments: {} });
    expect(textOf(listed)).toContain('"guide"');
    const injected = await bridge.client.callTool({
      name: 'agent_zoo_inject',
      arguments: { agentId: 'guide' },
    });
    expect(textOf(injected)).toContain('You are now Guide.');
    expect(withoutWaiting(bridge.said())).toBe('');
  });

  test('sees the agents of the folder that it was started in', async () => {
    await using home = await bridgeHome({
      'zoo.toml': '[agents.here]\nsystem_prompt = "Only here."\n',
      'deep/er/note.txt': '',
    });
    mkdirSync(join(home.path, 'elsewhere'));
    await using here = await home.connect({ era, cwd: join(home.work, 'deep', 'er') });
    await using elsewhere = await home.connect({ era, cwd: join(home.path, 'elsewhere') });
    const names = async ({ client }: typeof here) =>
      (await client.listPrompts()).prompts.map(({ name }) => name);
    expect(await names(here)).toContain('here');
    expect(await names(elsewhere)).not.toContain('here');
    expect(home.hubs()).toHaveLength(1);
  });

  test('with --agent sees only that agent', async () => {
    await using home = await bridgeHome({ 'zoo.toml': '[agents.here]\nsystem_prompt = "Only here."\n' });
    await using bridge = await home.connect({ era, args: ['--agent', 'here'] });
    expect((await bridge.client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['here']);
    await expect(home.connect({ era, args: ['--agent', 'nobody'] })).rejects.toThrow(/nobody/);
  });

  test('with the token of an agent sees only that agent', async () => {
    await using home = await bridgeHome();
    await home.serve();
    expect((await home.zoo(['agent', 'create', '--name', 'Other'])).code).toBe(0);
    const made = await home.zoo(['token', 'create', '--agent', 'guide', '--json']);
    const env = { ZOO_TOKEN: JSON.parse(made.out).token };
    await using bridge = await home.connect({ era, env });
    expect((await bridge.client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['guide']);
    await expect(home.connect({ era, env, args: ['--agent', 'other'] })).rejects.toThrow(/bound to/);
    await expect(home.connect({ era, env: { ZOO_TOKEN: 'zoo_wrong' } })).rejects.toThrow(/token/);
  });
});

test('ten bridges at once start one hub', async () => {
  await using home = await bridgeHome();
  const bridges = await Promise.all(Array.from({ length: 10 }, () => home.connect()));
  const lists = await Promise.all(bridges.map(({ client }) => client.listPrompts()));
  expect(lists.every(({ prompts }) => prompts.length === 1)).toBe(true);
  expect(home.hubs()).toHaveLength(1);
  expect(existsSync(homeFiles(home.home).starting)).toBe(false);
  await Promise.all(bridges.map(({ client }) => client.close()));
});

test('a bridge works when the port is taken', async () => {
  await using home = await bridgeHome();
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const address = other.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  await using _ = { [Symbol.asyncDispose]: async () => void other.close() };
  mkdirSync(join(home.path, 'config'), { recursive: true });
  writeFileSync(join(home.path, 'config', 'zoo.toml'), `[server]\nbind = "127.0.0.1:${port}"\n`);
  await using bridge = await home.connect();
  expect((await bridge.client.listPrompts()).prompts).toHaveLength(1);
  expect(home.hub().url).not.toContain(String(port));
  expect((await home.zoo(['agent', 'list'])).out).toContain('guide');
});

test('only the owner can access the socket and the token', async () => {
  await using home = await bridgeHome();
  mkdirSync(home.home, { mode: 0o755 });
  await (await home.connect()).client.close();
  const { socket, operatorToken } = homeFiles(home.home);
  expect(statSync(socket).mode & 0o777).toBe(0o600);
  expect(statSync(operatorToken).mode & 0o777).toBe(0o600);
});

test('a home whose path is too long for a socket uses another folder', async () => {
  await using home = await bridgeHome();
  const deep = join(home.path, 'd'.repeat(60), 'e'.repeat(60));
  const env = { ZOO_HOME: deep };
  await using first = await home.connect({ env });
  await using second = await home.connect({ env, era: 'modern' });
  expect((await second.client.listTools()).tools.length).toBeGreaterThan(0);
  const { socket } = homeFiles(deep);
  expect(Buffer.byteLength(socket)).toBeLessThan(104);
  expect(statSync(join(socket, '..')).mode & 0o777).toBe(0o700);
  await first.client.close();
  await second.client.close();
  const { pid } = JSON.parse(readFileSync(join(deep, 'hub.json'), 'utf8'));
  process.kill(pid);
  // It writes to its home until it has exited.
  await until(() => !isAlive(pid));
  expect(existsSync(socket)).toBe(false);
});

test('an unusable home is reported', async () => {
  await using home = await bridgeHome();
  writeFileSync(home.home, 'a file');
  const { send, next } = home.bridge();
  send(initialize);
  expect(await next()).toMatchObject({
    id: 'hello',
    error: { code: -32_000, message: expect.stringMatching(/Cannot (start|read)/) },
  });
});

test('a hub that cannot start is reported with its own error', async () => {
  await using home = await bridgeHome();
  mkdirSync(home.home);
  writeFileSync(join(home.home, 'zoo.db'), 'this is no database, whatever its name is');
  chmodSync(join(home.home, 'zoo.db'), 0o600);
  const { send, next } = home.bridge();
  send(initialize);
  const { error } = await next();
  expect(error.message).toMatch(/did not start: error: .*database/);
  expect(error.data).toEqual({ reason: 'hub-unavailable', happened: 'no' });
});

test('a hub that a bridge started exits when idle; one that was started by hand does not', async () => {
  await using home = await bridgeHome({}, { ZOO_IDLE_MS: '400' });
  const bridge = await home.connect();
  const { pid } = home.hub();
  await new Promise((resolve) => setTimeout(resolve, 900));
  expect(isAlive(pid)).toBe(true);
  const stream = home.start(['events']);
  let heard = '';
  stream.stdout?.on('data', (text: Buffer) => (heard += text.toString()));
  // The stream must be open before the bridge is gone, however long that takes.
  const setCurrent = { name: 'agent_zoo_set_current', arguments: { agentId: 'guide' } };
  await expect
    .poll(async () => (await bridge.client.callTool(setCurrent), heard), { interval: 200 })
    .not.toBe('');
  await bridge.client.close();
  await new Promise((resolve) => setTimeout(resolve, 900));
  expect(isAlive(pid)).toBe(true);
  stream.kill();
  await until(() => !isAlive(pid));
  expect(existsSync(homeFiles(home.home).socket)).toBe(false);
  expect(existsSync(join(home.home, 'hub.json'))).toBe(false);

  const { child } = await home.serve();
  await (await home.connect()).client.close();
  await new Promise((resolve) => setTimeout(resolve, 900));
  expect(child.exitCode).toBeNull();
});
