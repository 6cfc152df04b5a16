import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { tempHome } from '../zoo-command.ts';

const serversOf = (folder: string) =>
  Object(parse(readFileSync(join(folder, 'zoo.toml'), 'utf8')))['tools']['mcp'];

test('tools add writes a command with its options, without secrets', async () => {
  await using home = await tempHome();
  const token = 'sk-1234567890abcdef';
  const added = await home.program([
    'tools',
    'add',
    'memory',
    '--env',
    `API_TOKEN=${token}`,
    '--env',
    'MODE=fast',
    '--',
    'npx',
    '-y',
    'server-memory',
    '--verbose',
  ]);
  expect({ code: added.code, out: added.out }).toEqual({
    code: 0,
    out: expect.stringContaining('Added 1 server'),
  });
  expect(added.out).toContain('zoo secret set API_TOKEN');
  expect(added.err).toContain('zoo trust');
  expect(serversOf(home.work)).toEqual({
    memory: {
      command: 'npx',
      args: ['-y', 'server-memory', '--verbose'],
      env: { API_TOKEN: '${API_TOKEN}', MODE: 'fast' },
    },
  });
  expect(readFileSync(join(home.work, 'zoo.toml'), 'utf8')).not.toContain(token);
  const again = await home.program(['tools', 'add', 'memory', '--', 'other']);
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('memory was not added') });
});

test('tools add takes a URL, and refuses options that would do nothing', async () => {
  await using home = await tempHome();
  expect(await home.program(['tools', 'add', 'web', '--url', 'https://mcp.example.com/mcp'])).toMatchObject({
    code: 0,
  });
  expect(serversOf(home.work)).toEqual({ web: { url: 'https://mcp.example.com/mcp' } });
  for (const args of [
    ['tools', 'add', 'x'],
    ['tools', 'add', 'x', '--url', 'https://a.example', '--', 'npx'],
    ['tools', 'add', 'x', '--url', 'https://a.example', '--env', 'A=b'],
    ['tools', 'add', 'x', '--header', 'A=b', '--', 'npx'],
    ['tools', 'add', 'a b', '--', 'npx'],
  ]) {
    expect({ args, code: (await home.program(args)).code }).toEqual({ args, code: 2 });
  }
});

test.each([
  ['mcpServers', '{"mcpServers": {"memory": {"command": "npx", "args": ["-y", "m"]}}}'],
  ['a bare list', '{\n  // from a README\n  "memory": {"command": "npx", "args": ["-y", "m"]}\n}'],
  ["Codex' TOML", '[mcp_servers.memory]\ncommand = "npx"\nargs = ["-y", "m"]\n'],
])('tools import - takes %s from standard input', async (_what, input) => {
  await using home = await tempHome();
  const imported = await home.program(['tools', 'import', '-'], { input });
  expect(imported).toMatchObject({ code: 0, out: expect.stringContaining('Added 1 server') });
  expect(serversOf(home.work)).toEqual({ memory: { command: 'npx', args: ['-y', 'm'] } });
});

test('tools import explains input without servers', async () => {
  await using home = await tempHome();
  for (const input of ['{"a": 1}', '', 'hello', '{ oops']) {
    const refused = await home.program(['tools', 'import', '-'], { input });
    expect({ input, code: refused.code, err: refused.err }).toEqual({
      input,
      code: 1,
      err: expect.stringMatching(/^error: standard input(?::1: |:\d+: | has no servers)/),
    });
  }
});
