import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceTree } from '../architecture/source-tree.ts';
import { rawCaller } from './raw-caller.ts';
import { tempHome } from '../zoo-command.ts';

const folder = new URL('../../docs/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
const pages = [...readdirSync(folder).filter((name) => name.endsWith('.md')), '../README.md'];
const blocks = (page: string, language: string): string[] =>
  [...read(page).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, text = '']) => text,
  );

/** `zoo …` in the text of a page, without what only stands for a value. */
function commandsIn(page: string): string[] {
  const inline = [...read(page).matchAll(/`zoo ([a-z][^`\n|]*)`/g)].map(([, text = '']) => text);
  const shell = [
    ...blocks(page, 'sh')
      .join('\n')
      .matchAll(/^\s*zoo ([a-z][^|#\n]*)/gm),
  ].map(([, text = '']) => text);
  return [...inline, ...shell];
}

test('every command in the documentation exists, with its options', async () => {
  await using home = await tempHome();
  const wrong: string[] = [];
  const help = new Map<string, Promise<string>>();
  const helpOf = (words: readonly string[]): Promise<string> => {
    const key = words.join(' ');
    const known = help.get(key) ?? home.inProcess(['help', ...words]).then(({ out, err }) => out + err);
    help.set(key, known);
    return known;
  };
  for (const page of pages) {
    for (const command of commandsIn(page)) {
      const [before = ''] = command.split(' -- ');
      const words = before.split(/[\s=]+/).filter((word) => word !== '');
      const path: string[] = [];
      for (const word of words) {
        if (!/^[a-z][a-z0-9-]*$/.test(word)) break;
        if (!(await helpOf([...path, word])).startsWith(`Usage: zoo ${[...path, word].join(' ')}`)) break;
        path.push(word);
      }
      const text = path.length === 0 ? '' : await helpOf(path);
      const options = words
        .filter((word) => /^--[a-z]/.test(word))
        .map((word) => word.replace(/[.,;:]+$/, ''));
      const unknown = options.filter((option) => !text.includes(option));
      if (path.length === 0 || unknown.length > 0)
        wrong.push(`${page}: zoo ${command} (${unknown.join(' ')})`);
    }
  }
  expect(wrong).toEqual([]);
  expect(help.size).toBeGreaterThan(50);
});

/** An example has no approval, and not the files, variables and sources that it names. It may be for another place. */
const EXPECTED = new Set([
  'untrusted',
  'unreadable',
  'unset-variable',
  'unknown-source',
  'misplaced-section',
]);

test('every config in the documentation is valid', async () => {
  const wrong: string[] = [];
  for (const page of pages) {
    for (const config of blocks(page, 'toml')) {
      // The file of a team is not a config.
      if (config.includes('[[team.member]]')) continue;
      await using home = await tempHome({ 'zoo.toml': config });
      const { diagnostics } = JSON.parse((await home.inProcess(['config', 'check', '--json'])).out);
      for (const { code, message } of diagnostics) {
        if (!EXPECTED.has(code)) wrong.push(`${page}: ${code}: ${message}\n${config}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

const served = (closed: number) => ({
  'zoo.toml': `[connectors.filesystem.runbooks]
root = "runbooks"
[agents.script.on-call]
path = "agents/on-call.lua"
[tools.script.probe]
path = "probe.lua"
[tools.mcp.absent]
command = "no-such-command"
[tools.mcp.refusing]
url = "http://127.0.0.1:${closed}/mcp"
[tools.mcp.leaving]
command = "node"
args = ["-e", "console.error('no key'); process.exit(3)"]
[tools.mcp.unset]
command = "node"
env = { KEY = "\${NOT_SET_ANYWHERE}" }
`,
  'runbooks/payments.md': '# Payments runbook\n\nDrain the queue.\n',
});

test(
  'docs/lua.md, docs/upstreams.md and docs/http.md describe the built program',
  { timeout: 600_000 },
  async () => {
    const [example = ''] = blocks('lua.md', 'lua');
    const functions = [...(read('lua.md').split('## Functions')[1] ?? '').matchAll(/^\| (.*?) \|/gm)]
      .flatMap(([, cell = '']) => [...cell.matchAll(/`([a-z0-9_.]+)(?=[(`])/g)])
      .map(([, name = '']) =>
        name.includes('.') || ['print', 'require', 'sleep', 'emit'].includes(name) ? name : `http.${name}`,
      )
      .filter((name) => name !== 'context.config' && name !== 'http.function');
    await using home = await tempHome({
      ...served(await closedPort()),
      'agents/on-call.lua': example,
      'probe.lua': `tool = { description = "d" }
function tool.execute(params, context)
  local missing = {}
  for _, name in ipairs({ ${functions.map((name) => JSON.stringify(name)).join(', ')} }) do
    local value = name:match("^context%.") and context or _ENV
    for part in name:gsub("^context%.", ""):gmatch("[^.]+") do value = value and value[part] end
    if type(value) ~= "function" then missing[#missing + 1] = name end
  end
  return { missing = table.concat(missing, " "), forbidden = { os == nil, io == nil, debug == nil, package == nil } }
end
return tool
`,
    });
    await home.zoo(['trust', '--yes']);
    await home.zoo(['sync']);
    const { url } = await home.serve();
    const { http } = await rawCaller(home, url);

    expect(functions.length).toBeGreaterThan(25);
    const { result } = JSON.parse(await http('/tools/probe', {}));
    expect(result).toEqual({ missing: '', forbidden: [true, true, true, true] });
    const tested = await home.program(['agent', 'test', 'on-call', '--arg', 'service=payments']);
    expect(tested.out).toMatch(
      /You are on call for payments\.[^]*## Payments runbook \([\d.]+\)[^]*Drain the queue/,
    );

    const said = {
      absent: 'command',
      refusing: 'refused the connection',
      leaving: 'exited with code 3',
      unset: 'NOT_SET_ANYWHERE',
    };
    for (const [server, words] of Object.entries(said)) {
      const status = await home.program(['tools', 'status', server]);
      expect(status.out + status.err).toContain(words);
    }

    const token = readFileSync(join(home.path, 'home', 'operator-token'), 'utf8').trim();
    const send = (path: string, headers: Record<string, string>, body?: object) =>
      fetch(url + path, {
        method: body ? 'PATCH' : 'GET',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    const first = await send('/api/agents/guide', {});
    expect([first.headers.get('etag'), first.headers.get('set-cookie')]).toEqual(['"1"', null]);
    const stale = await send('/api/agents/guide', { 'if-match': '"7"' }, { description: 'x' });
    expect([stale.status, await stale.json()]).toMatchObject([409, { error: { code: 'conflict' } }]);
    const repeated = { 'idempotency-key': 'a-key-of-this-test' };
    const written = await (await send('/api/agents/guide', repeated, { description: 'x' })).json();
    expect(await (await send('/api/agents/guide', repeated, { description: 'x' })).json()).toEqual(written);
    expect((await send('/api/agents/guide', {}, { descripton: 'x' })).status).toBe(400);
    expect((await send('/agents/list', { origin: 'https://evil.example' })).status).toBe(403);
    expect((await send('/agents/list', { authorization: '' })).status).toBe(401);
    expect((await send(`/agents/list?workspace=${encodeURIComponent(home.work)}`, {})).status).toBe(200);
    expect(JSON.parse(await (await send('/openapi.json', {})).text()).openapi).toMatch(/^3\.1/);
  },
);

test('every test that the security page names exists', () => {
  const tests = sourceTree((path) => path.endsWith('.test.ts'));
  const missing: string[] = [];
  for (const [line] of read('security.md').matchAll(/^\|.*\|$|Test: .*$/gm)) {
    const cell = line.startsWith('|') ? (line.split('|').at(-2) ?? '') : line;
    const linked = [...cell.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, path = '']) => path);
    missing.push(...linked.filter((path) => !(path in tests)));
    for (const [, title = ''] of cell.matchAll(/"([^"]+)"/g)) {
      // `…` stands for the cases of a test.
      const parts = title.split('…').map((part) => part.trim());
      const names = (text: string): boolean => parts.every((part) => text.includes(part));
      if (!Object.values(tests).some(names)) missing.push(title);
    }
  }
  expect(missing).toEqual([]);
});

/** A port that nobody listens on. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
