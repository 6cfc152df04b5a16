import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempHome } from '../../../../../test/zoo-command.ts';
import type { Launch, McpClient } from '../../../../platform/clients/client.ts';
import { isTable, valueAt } from '../../../../platform/config-edits/format.ts';
import type { Table } from '../../../../platform/config-edits/format.ts';
import { clients } from '../../../../platform/clients/index.ts';
import { placeOf } from '../../../../platform/clients/own-launch.ts';

const program = join(import.meta.dirname, '../../../../../dist/zoo.js');
const ids = clients.map(({ id }) => id);

type Home = Awaited<ReturnType<typeof tempHome>>;

function put(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const read = (file: string): string => readFileSync(file, 'utf8');

/** A whole config of each client, as people have them. */
const samples: Record<string, string> = {
  cursor: '{\n\t"mcpServers": {\n\t\t"other": {"command":"x",   "args":[]}\n\t}\n}\n',
  'claude-code':
    '{\n  "numStartups": 12,\n  "mcpServers": {\n    "a": {\n      "command": "a"\n    }\n  },\n  "projects": {}\n}',
  'claude-desktop': '{"mcpServers":{"a":{"command":"b"}},"globalShortcut":""}',
  vscode: '{\n  // mine\n  "servers": {\n    "a": { "command": "a" }, // last\n  },\n  "inputs": [],\n}\n',
  codex:
    '# mine\nmodel = "gpt"   # the best\nbig = 9007199254740993\nsince = 2026-11-15T08:00:00Z\n\n[mcp_servers.a]\ncommand = "a" # a\n\n[profiles.x]\nmodel = "y"\n',
  gemini: '{\r\n  "ui": {"theme": "x"},\r\n  "mcpServers": {\r\n    "a": {}\r\n  }\r\n}\r\n',
  opencode:
    '{\n  "$schema": "https://opencode.ai/config.json",\n  "mcp": {\n    "a": {"type": "remote", "url": "http://x"} /* a */\n  }\n}\n',
  windsurf:
    '{\n    "mcpServers": {\n        "a": {\n            "serverUrl": "http://x"\n        }\n    }\n}\n',
  zed: '// Zed settings\n{\n  "theme": "One Dark", // dark\n  "context_servers": {\n    "a": {"settings": {}},\n  },\n}\n',
};

function fileOf(id: string, scope: 'user' | 'project', home: Home): string | undefined {
  return clients
    .find((client) => client.id === id)
    ?.files(scope, placeOf({ env: home.env, folder: home.work }))[0];
}

function launchIn(client: McpClient, config: Table, name: string): Launch | null {
  const entry = valueAt(config, [...client.serversPath(config), name]);
  return isTable(entry) ? client.launch(entry) : null;
}

describe.each(ids)('%s', (id) => {
  const client = clients.find((one) => one.id === id)!;

  test('is connected, detected and disconnected, and everything else stays unchanged', async () => {
    await using home = await tempHome();
    const before = samples[id]!;
    const file = put(fileOf(id, 'user', home)!, before);
    const first = await home.inProcess(['connect', id]);
    expect(first).toMatchObject({
      code: 0,
      out: expect.stringContaining(`Connected ${client.title}: agent-zoo in ~`),
    });
    const config = client.format.parse(read(file));
    expect(launchIn(client, config, 'agent-zoo')).toEqual({
      command: process.execPath,
      args: [program, 'mcp', ...(id === 'cursor' ? ['--workspace', '${workspaceFolder}'] : [])],
      env: { ZOO_HOME: home.env['ZOO_HOME'], ZOO_CONFIG_DIR: home.env['ZOO_CONFIG_DIR'] },
    });
    expect(read(`${file}.zoo-backup`)).toBe(before);
    const connected = read(file);
    const again = await home.inProcess(['connect', id]);
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining('already connected') });
    expect(read(file)).toBe(connected);
    expect((await home.inProcess(['connect', id, '--remove'])).code).toBe(0);
    expect(read(file)).toBe(before);
    expect(await home.inProcess(['connect', id, '--remove'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not connected'),
    });
  });

  test('is connected even without an existing config', async () => {
    await using home = await tempHome();
    const { code, err } = await home.inProcess(['connect', id]);
    expect(code).toBe(0);
    expect(err).toContain(`${client.title} was not found`);
    const file = fileOf(id, 'user', home)!;
    expect(read(file)).toContain('agent-zoo');
    expect(readdirSync(dirname(file)).filter((name) => name.includes('zoo'))).toEqual([]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('prints the config and its file with --print, and writes nothing', async () => {
    await using home = await tempHome();
    const { out, err } = await home.inProcess(['connect', id, '--print', '--agent', 'guide']);
    const config = client.format.parse(out);
    expect(launchIn(client, config, 'agent-zoo-guide')?.args.slice(-2)).toEqual(['--agent', 'guide']);
    const file = fileOf(id, 'user', home)!;
    expect(err).toContain(file.replace(home.path, '~'));
    expect(existsSync(file)).toBe(false);
  });

  test('is not changed while its file is broken', async () => {
    await using home = await tempHome();
    const text = id === 'codex' ? 'a = 1\nb = what\n' : '{\n  "a": what\n}\n';
    const file = put(fileOf(id, 'user', home)!, text);
    for (const more of [[], ['--remove'], ['--print']]) {
      const { code, err } = await home.inProcess(['connect', id, ...more]);
      expect(code).toBe(1);
      expect(err).toContain(`${file}:2: `);
    }
    expect(read(file)).toBe(text);
    expect(existsSync(`${file}.zoo-backup`)).toBe(false);
    expect((await home.inProcess(['connect'])).out).toMatch(new RegExp(`${id} .*broken at line 2`));
  });
});

const withoutProject = ['claude-desktop', 'windsurf'];

test.each(withoutProject)('%s reports that it has no project config', async (id) => {
  await using home = await tempHome();
  const { code, err } = await home.inProcess(['connect', id, '--scope', 'project', '--json']);
  expect(code).toBe(2);
  expect(JSON.parse(err)).toMatchObject({ error: { hints: [`zoo connect ${id} --scope user`] } });
});

test.each(ids.filter((id) => !withoutProject.includes(id)))('%s has a project config', async (id) => {
  await using home = await tempHome();
  const { out } = await home.inProcess(['connect', id, '--scope', 'project', '--json']);
  const file = fileOf(id, 'project', home)!;
  expect(JSON.parse(out)).toEqual({
    client: id,
    scope: 'project',
    file,
    name: 'agent-zoo',
    agent: null,
    changed: true,
    backup: null,
  });
  expect(file.startsWith(home.work)).toBe(true);
  expect(read(file)).toContain('agent-zoo');
  const list = JSON.parse((await home.inProcess(['connect', '--json'])).out);
  expect(list.clients.find((one: { id: string }) => one.id === id).files[1]).toMatchObject({
    scope: 'project',
    connections: [{ name: 'agent-zoo', agent: null }],
  });
});

test('one-click links contain the same config', async () => {
  await using home = await tempHome();
  const cursor = JSON.parse((await home.inProcess(['connect', 'cursor', '--print', '--json'])).out);
  const link = new URL(cursor.link);
  expect(link.searchParams.get('name')).toBe('agent-zoo');
  const { command, args, env } = cursor;
  expect(JSON.parse(Buffer.from(link.searchParams.get('config')!, 'base64').toString())).toEqual({
    command,
    args,
    env,
  });
  const vscode = JSON.parse((await home.inProcess(['connect', 'vscode', '--print', '--json'])).out);
  expect(JSON.parse(decodeURIComponent(vscode.link.replace('vscode:mcp/install?', '')))).toMatchObject({
    name: 'agent-zoo',
    type: 'stdio',
    command: process.execPath,
    args: [program, 'mcp'],
  });
});

test('the config uses the name zoo only if that is this program', async () => {
  await using home = await tempHome();
  const folder = join(home.path, 'bin');
  mkdirSync(folder);
  const PATH = `${folder}:${process.env['PATH']}`;
  const launch = async (id: string) =>
    JSON.parse((await home.inProcess(['connect', id, '--print', '--json'], { env: { PATH } })).out);
  put(join(folder, 'zoo'), '#!/bin/sh\n');
  expect(await launch('codex')).toMatchObject({ command: process.execPath });
  rmSync(join(folder, 'zoo'));
  symlinkSync(program, join(folder, 'zoo'));
  expect(await launch('codex')).toMatchObject({ command: 'zoo', args: ['mcp'] });
  expect(await launch('claude-desktop')).toMatchObject({ command: process.execPath });
});

test('an agent and the hub can both be connected, and are removed separately', async () => {
  await using home = await tempHome();
  const file = fileOf('cursor', 'user', home)!;
  await home.inProcess(['connect', 'cursor']);
  await home.inProcess(['connect', 'cursor', '--agent', 'guide']);
  expect(Object.keys(JSON.parse(read(file)).mcpServers)).toEqual(['agent-zoo', 'agent-zoo-guide']);
  expect((await home.inProcess(['connect'])).out).toMatch(
    /cursor +installed +user: the hub, guide +~\/\.cursor\/mcp\.json/,
  );
  await home.inProcess(['connect', 'cursor', '--remove']);
  expect(Object.keys(JSON.parse(read(file)).mcpServers)).toEqual(['agent-zoo-guide']);
  expect((await home.inProcess(['connect', 'cursor', '--remove'])).err).toContain(
    'hint: zoo connect cursor --remove --scope user --agent guide',
  );
});

test('a misspelt client or agent gets a suggestion, and nothing is written', async () => {
  await using home = await tempHome();
  expect(await home.inProcess(['connect', 'cursr'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('did you mean cursor?'),
  });
  const { code, err } = await home.inProcess(['connect', 'cursor', '--agent', 'giude']);
  expect(code).toBe(1);
  expect(err.toLowerCase()).toContain("did you mean 'guide'?");
  expect(existsSync(join(home.path, '.cursor'))).toBe(false);
  expect((await home.inProcess(['connect', 'cursor', '--print', '--remove'])).code).toBe(2);
  expect((await home.inProcess(['connect', '--remove'])).code).toBe(2);
});

test('symbolic links and file modes are preserved', async () => {
  await using home = await tempHome();
  const real = put(join(home.path, 'dotfiles', 'cursor.json'), '{}\n');
  chmodSync(real, 0o640);
  const file = join(home.path, '.cursor', 'mcp.json');
  mkdirSync(dirname(file));
  symlinkSync(join('..', 'dotfiles', 'cursor.json'), file);
  await home.inProcess(['connect', 'cursor']);
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(read(real)).toContain('agent-zoo');
  expect(statSync(real).mode & 0o777).toBe(0o640);
  expect(readdirSync(dirname(real))).toEqual(['cursor.json']);
});

test('a byte order mark is preserved, and an older backup is not overwritten', async () => {
  await using home = await tempHome();
  const file = put(join(home.path, '.cursor', 'mcp.json'), '\uFEFF{"a":1}');
  await home.inProcess(['connect', 'cursor']);
  expect(read(file)).toMatch(/^\uFEFF\{"a":1,"mcpServers":/);
  await home.inProcess(['connect', 'cursor', '--agent', 'guide']);
  expect(read(`${file}.zoo-backup`)).toBe('\uFEFF{"a":1}');
  expect(readdirSync(dirname(file)).filter((name) => /zoo-backup-\d{8}T\d{6}$/.test(name))).toHaveLength(1);
});

test('an unreadable file is reported, and the others are still shown', async () => {
  await using home = await tempHome();
  mkdirSync(join(home.path, '.cursor', 'mcp.json'), { recursive: true });
  const { code, out } = await home.inProcess(['connect']);
  expect(code).toBe(0);
  expect(out).toMatch(/cursor .*user: it cannot be read: it is a folder/);
  expect(out).toMatch(/^ {2}zed /m);
  expect(await home.inProcess(['connect', 'cursor'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('.cursor/mcp.json: it cannot be read'),
  });
});

test('opencode is written in the format of its file', async () => {
  await using home = await tempHome();
  const file = put(
    join(home.work, 'opencode.jsonc'),
    '{\n  "mcp": {\n    "servers": {\n      "a": {"type": "remote"}\n    }\n  }\n}\n',
  );
  await home.inProcess(['connect', 'opencode', '--scope', 'project']);
  expect(existsSync(join(home.work, 'opencode.json'))).toBe(false);
  expect(JSON.parse(read(file)).mcp.servers['agent-zoo']).not.toHaveProperty('enabled');
});

test('a ZOO_HOME that no longer applies is removed from an entry', async () => {
  await using home = await tempHome();
  const file = fileOf('gemini', 'user', home)!;
  await home.inProcess(['connect', 'gemini']);
  put(file, read(file).replace('"command"', '"trust": true,\n      "command"'));
  await home.inProcess(['connect', 'gemini'], { env: { ZOO_HOME: undefined, ZOO_CONFIG_DIR: undefined } });
  expect(JSON.parse(read(file)).mcpServers['agent-zoo']).toEqual({
    trust: true,
    command: process.execPath,
    args: [program, 'mcp'],
    env: {},
  });
});

test('the agents that the workspace suggests are shown with the clients', async () => {
  await using home = await tempHome({
    'zoo.toml':
      '[workspace]\ndefault_agent = "zebra"\nsuggested = ["yak"]\n[agents.yak]\nsystem_prompt = "Y."\n[agents.zebra]\nsystem_prompt = "Z."\n',
  });
  expect((await home.inProcess(['connect'])).err).toContain(
    'Suggested in this workspace: --agent zebra, --agent yak',
  );
  expect(JSON.parse((await home.inProcess(['connect', '--json'])).out).suggested).toEqual(['zebra', 'yak']);
});
