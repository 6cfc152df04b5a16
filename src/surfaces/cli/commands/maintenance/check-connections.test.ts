import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../../../../test/zoo-command.ts';
import { probe } from './probe.ts';

/** A server that answers `initialize` and `tools/list`, by hand. */
const server = (version = '9.9.9'): string => `
  process.stdin.setEncoding('utf8').on('data', (text) => {
    for (const line of text.trim().split('\\n')) {
      const { id, method } = JSON.parse(line);
      const result =
        method === 'initialize'
          ? { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'x', version: '${version}' } }
          : { tools: [{ name: 'a' }, { name: process.env.ZOO_HOME }] };
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
    }
  });
`;

type Home = Awaited<ReturnType<typeof tempHome>>;

function put(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function connectCursor(home: Home, entry: object, name = 'agent-zoo', folder = home.path): void {
  put(join(folder, '.cursor', 'mcp.json'), JSON.stringify({ mcpServers: { [name]: entry } }));
}

async function checksOf(
  home: Home,
): Promise<{ name: string; state: string; message: string; advice: string }[]> {
  const all = JSON.parse((await home.inProcess(['doctor', '--json'])).out);
  return all.checks.filter(({ name }: { name: string }) => name.includes('('));
}

test('doctor reports nothing about clients that are not connected', async () => {
  await using home = await tempHome();
  expect(await checksOf(home)).toEqual([]);
});

test('doctor starts each connection, speaks MCP to it, and reports a version mismatch', async () => {
  await using home = await tempHome();
  const script = put(join(home.path, 'server.cjs'), server());
  connectCursor(home, { command: process.execPath, args: [script] });
  expect(await checksOf(home)).toEqual([
    {
      name: 'cursor (user)',
      state: 'warn',
      message: expect.stringMatching(/^works, with 2 tools; it is version 9\.9\.9, this is /),
      advice: expect.stringContaining('zoo stop'),
    },
  ]);
  connectCursor(
    home,
    { command: process.execPath, args: [script, '--agent', 'x'], env: { ZOO_HOME: '/other' } },
    'agent-zoo-x',
  );
  expect(await checksOf(home)).toMatchObject([
    { name: 'cursor (user, x)', state: 'ok', message: 'works, with 2 tools; it uses the hub of /other' },
  ]);
});

test('doctor explains a broken connection and how to fix it', async () => {
  await using home = await tempHome();
  const again = 'zoo connect cursor';
  const cases: [entry: object, expected: object][] = [
    [
      { command: 'no-such-zoo', args: ['mcp'] },
      { message: '`no-such-zoo` not found', advice: expect.stringContaining(again) },
    ],
    [
      { command: process.execPath, args: ['/gone/zoo.js', 'mcp'] },
      { message: '/gone/zoo.js no longer exists', advice: expect.stringContaining(again) },
    ],
    [
      { command: process.execPath, args: ['-e', 'console.error("port is taken"); process.exit(3)'] },
      { message: 'exited with code 3: port is taken', advice: expect.stringContaining('run it yourself: ') },
    ],
    [
      { command: process.execPath, args: ['-e', 'console.log("Welcome!"); setInterval(() => 0, 1000)'] },
      { message: 'it writes output that is not MCP: Welcome!' },
    ],
  ];
  for (const [entry, expected] of cases) {
    connectCursor(home, entry);
    expect(await checksOf(home)).toMatchObject([{ state: 'fail', ...expected }]);
  }
  const script = put(join(home.path, 'server.cjs'), server());
  connectCursor(home, { command: process.execPath, args: [script], disabled: true });
  expect(await checksOf(home)).toMatchObject([
    { state: 'warn', message: expect.stringContaining('is disabled') },
  ]);
  connectCursor(home, { url: 'http://127.0.0.1:1/mcp' });
  expect(await checksOf(home)).toMatchObject([
    { state: 'warn', message: expect.stringContaining('no command') },
  ]);
});

test('doctor runs no command from a project file', async () => {
  await using home = await tempHome();
  const trace = join(home.path, 'it-ran');
  const script = `require('fs').writeFileSync(${JSON.stringify(trace)}, '')`;
  connectCursor(home, { command: process.execPath, args: ['-e', script] }, 'agent-zoo', home.work);
  expect(await checksOf(home)).toMatchObject([
    { name: 'cursor (project)', state: 'warn', message: expect.stringContaining('not started') },
  ]);
  // Nor an entry like ours with a modified environment.
  await home.inProcess(['connect', 'gemini', '--scope', 'project', '--json']);
  const file = join(home.work, '.gemini', 'settings.json');
  put(file, readFileSync(file, 'utf8').replace('"env": {', `"env": { "NODE_OPTIONS": "--require /x.js",`));
  expect(await checksOf(home)).toMatchObject([{}, { name: 'gemini (project)', state: 'warn' }]);
  expect(existsSync(trace)).toBe(false);
});

test('doctor warns about a broken client file without failing', async () => {
  await using home = await tempHome();
  put(join(home.path, '.cursor', 'mcp.json'), '{\n  oops\n}');
  const { code, out } = await home.inProcess(['doctor']);
  expect(code).toBe(0);
  expect(out).toMatch(/^warn {2}cursor +~\/\.cursor\/mcp\.json:2: /m);
});

test('a silent server times out and is stopped', async () => {
  const silent = { command: process.execPath, args: ['-e', 'setInterval(() => 0, 1000)'], env: {} };
  const options = {
    cwd: import.meta.dirname,
    env: { PATH: process.env['PATH'] },
    protocol: 'mcp' as const,
    timeoutMs: 300,
  };
  expect(await probe(silent, options)).toMatchObject({
    ok: false,
    problem: 'silent',
    message: 'no response within 0.3 s',
  });
});

test('doctor finds that connections written by connect work', async () => {
  await using home = await tempHome({ 'zoo.toml': '[agents.local]\nsystem_prompt = "Local"\ntools = []\n' });
  try {
    for (const id of ['cursor', 'codex', 'opencode']) {
      expect((await home.zoo(['connect', id])).code).toBe(0);
      expect((await home.zoo(['connect', id, '--scope', 'project', '--agent', 'local'])).code).toBe(0);
    }
    const { code, out, err } = await home.zoo(['doctor']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const id of ['cursor', 'codex', 'opencode']) {
      expect(out).toMatch(new RegExp(`^ok {4}${id} \\(user\\) +works, with \\d+ tools$`, 'm'));
      expect(out).toMatch(new RegExp(`^ok {4}${id} \\(project, local\\) +works, with \\d+ tools?$`, 'm'));
    }
  } finally {
    await home.zoo(['stop']);
  }
});
