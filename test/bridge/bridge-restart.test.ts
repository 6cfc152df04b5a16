import { cpSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  type Era,
  bridgeHome,
  eras,
  initialize,
  isAlive,
  kill,
  until,
  withoutWaiting,
} from './bridge-home.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

describe.each(eras)('a client of the %s era', (era: Era) => {
  test('only sees list_changed when its hub is killed', async () => {
    await using home = await bridgeHome();
    await using bridge = await home.connect({ era });
    const { client, heard } = bridge;
    await client.listTools();
    if (era === 'modern') await client.listen({ promptsListChanged: true, toolsListChanged: true });
    for (let n = 1; n <= 2; n += 1) {
      heard.length = 0;
      kill(home.hub().pid);
      const { prompts } = await client.listPrompts();
      expect(prompts.map(({ name }) => name)).toContain('guide');
      expect(home.hubs()).toHaveLength(n + 1);
      await until(() => heard.includes('notifications/prompts/list_changed'));
      expect(heard).toContain('notifications/tools/list_changed');
    }
    heard.length = 0;
    expect((await home.zoo(['agent', 'create', '--name', 'Fresh'])).code).toBe(0);
    await until(() => heard.includes('notifications/prompts/list_changed'));
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toContain('fresh');
    expect(isAlive(bridge.pid)).toBe(true);
  });

  test('keeps its subscriptions with the next hub', async () => {
    await using home = await bridgeHome();
    await using bridge = await home.connect({ era });
    const uri = 'agent-zoo://agents/current';
    if (era === 'modern') await bridge.client.listen({ resourceSubscriptions: [uri] });
    else await bridge.client.subscribeResource({ uri });
    kill(home.hub().pid);
    await until(() => bridge.heard.includes('notifications/resources/updated'));
    bridge.heard.length = 0;
    expect((await home.zoo(['current', 'guide'])).code).toBe(0);
    await until(() => bridge.heard.includes('notifications/resources/updated'));
  });

  test('gets answers while the hub is stopped and started again', async () => {
    await using home = await bridgeHome();
    await using bridge = await home.connect({ era });
    await bridge.client.listTools();
    expect((await home.zoo(['stop'])).code).toBe(0);
    // Stopped on purpose: the bridge starts none before its client asks for something.
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(home.hubs()).toHaveLength(1);
    const { child } = await home.serve();
    const called = await bridge.client.callTool({ name: 'agent_zoo_list_agents', arguments: {} });
    expect(called.isError).not.toBe(true);
    expect(home.hub().pid).toBe(child.pid);
  });
});

test('a write of a tool that the client has listed is done once, and answered by the next hub', async () => {
  await using home = await bridgeHome();
  const bridge = home.bridge();
  bridge.send(initialize);
  await bridge.next();
  bridge.send({ jsonrpc: '2.0', id: 0, method: 'tools/list' });
  expect(await bridge.next()).toMatchObject({ id: 0, result: { tools: expect.any(Array) } });
  const write = (id: number) =>
    bridge.send({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: {
        name: 'agent_zoo_create_brain_entry',
        arguments: { agentId: 'guide', type: 'note', content: `${id}` },
      },
    });
  // Some of these have been answered when the hub goes, some are done and not answered, some have not begun.
  for (let id = 1; id <= 40; id++) write(id);
  const answers = [await bridge.next()];
  kill(home.hub().pid);
  while (answers.length < 40) {
    const message = await bridge.next();
    if ('id' in message) answers.push(message);
  }
  expect(answers.filter((answer) => !('result' in answer))).toEqual([]);
  bridge.send({
    jsonrpc: '2.0',
    id: 99,
    method: 'tools/call',
    params: { name: 'agent_zoo_query_brain_entries', arguments: { agentId: 'guide' } },
  });
  expect(await bridge.next()).toMatchObject({ id: 99, result: { structuredContent: { total: 40 } } });
});

test('a write of a tool that was never listed may have happened, and is not repeated', async () => {
  await using home = await bridgeHome();
  const bridge = home.bridge();
  bridge.send(initialize);
  expect(await bridge.next()).toMatchObject({ id: 'hello', result: {} });
  const { pid } = home.hub();
  // The hub is made to stand still, so that the call has arrived and is not answered.
  process.kill(pid, 'SIGSTOP');
  const call = (id: number, name: string, args: object) =>
    bridge.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
  call(1, 'agent_zoo_create_brain_entry', { agentId: 'guide', type: 'note', content: 'once' });
  bridge.send({ jsonrpc: '2.0', id: 2, method: 'prompts/list' });
  // The bridge answers this itself, after it has passed on the messages before.
  bridge.send('not JSON\n');
  expect(await bridge.next()).toMatchObject({ id: null, error: { code: -32_700 } });
  kill(pid);
  expect(await bridge.next()).toMatchObject({
    id: 1,
    error: {
      message: expect.stringMatching(
        /restarted during agent_zoo_create_brain_entry.*may have been carried out/,
      ),
      data: { reason: 'hub-restarted', happened: 'maybe' },
    },
  });
  expect(await bridge.next()).toMatchObject({ id: 2, result: { prompts: expect.any(Array) } });
  call(3, 'agent_zoo_query_brain_entries', { agentId: 'guide' });
  expect(JSON.stringify(await bridge.next())).not.toContain('once');
});

test('bridges that lose their hub together start one', async () => {
  await using home = await bridgeHome();
  const bridges = await Promise.all(Array.from({ length: 8 }, () => home.connect()));
  kill(home.hub().pid);
  await Promise.all(bridges.map(({ client }) => client.listPrompts()));
  expect(home.hubs()).toHaveLength(2);
  await Promise.all(bridges.map(({ client }) => client.close()));
});

test('a newer bridge has an older hub replaced that a bridge started, and uses one that was started by hand', async () => {
  await using home = await bridgeHome();
  const newer = newerProgram(join(home.path, 'newer'));
  await using before = await home.connect();
  const { pid } = home.hub();
  await using after = await home.connect({ program: newer });
  expect((await after.client.listPrompts()).prompts).toHaveLength(1);
  // It has made way for the other, and may still be exiting.
  await until(() => !isAlive(pid));
  expect(home.hub().version).toBe('99.0.0');
  expect(withoutWaiting(after.said())).toBe('');
  expect((await before.client.listPrompts()).prompts).toHaveLength(1);
  expect(home.hubs()).toHaveLength(2);

  expect((await home.zoo(['stop'])).code).toBe(0);
  const { child } = await home.serve();
  await using third = await home.connect({ program: newer });
  expect((await third.client.listPrompts()).prompts).toHaveLength(1);
  expect(home.hub().pid).toBe(child.pid);
  expect(third.said()).toContain(`hub is version ${version}, this is 99.0.0`);
});

/** The program as it will be one day. */
function newerProgram(folder: string): string {
  mkdirSync(folder);
  cpSync(join(root, 'dist'), join(folder, 'dist'), {
    recursive: true,
    filter: (path) => !path.endsWith('bench'),
  });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const dist = join(folder, 'dist');
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.m?js$/.test(file),
  );
  for (const file of files) {
    const path = join(dist, file);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(`"${version}"`, '"99.0.0"'));
  }
  return join(dist, 'zoo.js');
}
