import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bridgeHome, initialize, isAlive, kill, until } from './bridge-home.ts';

const program = fileURLToPath(new URL('../../dist/zoo.js', import.meta.url));

test('a bridge exits when its input ends, and leaves only the hub running', async () => {
  await using home = await bridgeHome({}, { ZOO_IDLE_MS: '300' });
  const bridge = home.bridge();
  bridge.send(initialize);
  await bridge.next();
  const { pid } = home.hub();
  bridge.child.stdin?.end();
  expect(await bridge.exited).toBe(0);
  await until(() => !isAlive(pid));
});

test('requests sent before the end of input are answered', async () => {
  await using home = await bridgeHome();
  await using _ = await home.connect();
  const bridge = home.bridge();
  bridge.send(initialize);
  bridge.send({ jsonrpc: '2.0', id: 1, method: 'prompts/list' });
  bridge.child.stdin?.end();
  expect(await bridge.next()).toMatchObject({ id: 'hello' });
  expect(await bridge.next()).toMatchObject({ id: 1 });
  expect(await bridge.exited).toBe(0);
});

test('a bridge exits when its client is killed, also before it has a hub', async () => {
  await using home = await bridgeHome();
  for (const warm of [false, true]) {
    // A client of which nothing is left but its bridge.
    const script = `
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, [${JSON.stringify(program)}, 'mcp'], { stdio: ['pipe', 'pipe', 'inherit'] });
      child.stdin.write(${JSON.stringify(`${JSON.stringify(initialize)}\n`)});
      ${warm ? 'child.stdout.once("data", () => console.log(child.pid));' : 'console.log(child.pid);'}
    `;
    const client = spawn(process.execPath, ['-e', script], {
      cwd: home.work,
      env: home.env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const pid = await new Promise<number>((resolve) =>
      client.stdout.once('data', (text: Buffer) => resolve(Number(text.toString()))),
    );
    expect(isAlive(pid)).toBe(true);
    client.kill('SIGKILL');
    // It may have to finish starting first.
    await until(() => !isAlive(pid));
  }
});

test('a bridge exits when its output is closed', async () => {
  await using home = await bridgeHome();
  const bridge = home.bridge();
  bridge.send(initialize);
  await bridge.next();
  bridge.child.stdout?.destroy();
  bridge.send({ jsonrpc: '2.0', id: 1, method: 'prompts/list' });
  expect(await bridge.exited).toBe(0);
});

test('lines of any length pass through a bridge, and invalid ones get an error', async () => {
  await using home = await bridgeHome();
  const bridge = home.bridge();
  bridge.send(initialize);
  await bridge.next();
  bridge.send('this is no JSON\n');
  expect(await bridge.next()).toMatchObject({ id: null, error: { code: -32_700 } });
  for (const size of [70_000, 3_000_000]) {
    const content = `${'é🦒'.repeat(size / 6)}.`;
    const params = {
      name: 'agent_zoo_create_brain_entry',
      arguments: { agentId: 'guide', type: 'note', content },
    };
    bridge.send({ jsonrpc: '2.0', id: size, method: 'tools/call', params });
    expect(await bridge.next()).toMatchObject({ id: size, result: {} });
  }
});

test('unknown arguments are handled by the command line', async () => {
  await using home = await bridgeHome();
  expect((await home.zoo(['mcp', '--help'])).out).toContain('--agent <id>');
  expect(await home.zoo(['mcp', '--agnet', 'x'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--agnet'),
  });
  const input = `${JSON.stringify(initialize)}\n`;
  await using _ = await home.connect();
  for (const args of [
    ['--workspace', home.work, 'mcp'],
    ['mcp', '--workspace', join(home.work)],
  ]) {
    const { out, code } = await home.zoo(args, { input, env: { ZOO_IDLE_MS: '300' } });
    expect(JSON.parse(out)).toMatchObject({ id: 'hello', result: { serverInfo: {} } });
    expect(code).toBe(0);
  }
  kill(home.hub().pid);
});
