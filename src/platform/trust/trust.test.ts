import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type TempFolder, tempFolder } from '../../../test/temp-folder.ts';
import { loadConfig } from '../config/config.ts';
import { openSqlite } from '../store/databases/sqlite.ts';
import type { OutsidePath } from './runnables.ts';
import { approveTrust, assessTrust, isTrusted, revokeTrust } from './trust.ts';

interface Options {
  trustAll?: boolean;
  own?: boolean;
  outside?: OutsidePath[];
}

async function setUp(files: Record<string, string>) {
  const folder = await tempFolder(files);
  const database = await openSqlite(join(folder.path, '.home/zoo.db'), { threads: false });
  return {
    folder,
    database,
    async assess({ trustAll = false, own = false, outside = [] }: Options = {}) {
      const { config } = await loadConfig(join(folder.path, 'zoo.toml'));
      const subject = { workspace: 'w', own, path: folder.path, config, outside };
      return (await assessTrust(database, subject, { trustAll })).report;
    },
    async [Symbol.asyncDispose]() {
      await database.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const now = new Date('2026-01-01');
const scriptConfig =
  '[agents.script.x]\npath = "agents/x.lua"\nallow_hosts = ["example.com"]\nkey = "${KEY}"\n';

test('a workspace of inline agents has nothing to trust', async () => {
  await using it = await setUp({
    'zoo.toml': '[agents.a]\nsystem_prompt = "x"\n[connectors.filesystem.d]\nroot = "docs"\n',
  });
  expect(await it.assess()).toMatchObject({ state: 'nothing-to-trust', runnables: [], workspace: 'w' });
});

test('everything that runs or connects is listed with its grants', async () => {
  await using it = await setUp({
    'zoo.toml': `${scriptConfig}
[agents.module.m]
path = "m.ts"
[tools.script.t]
path = "t.lua"
allow_env = ["HOME"]
[tools.mcp.local]
command = "node"
args = ["server.js"]
[tools.mcp.remote]
url = "https://example.com/mcp"
[connectors.git.far]
url = "git@example.com:a/b.git"
[connectors.git.near]
url = "./vendor/repository"
[connectors.filesystem.out]
root = "../elsewhere"
[connectors.web.w]
url = "https://example.com"
[connectors.script.s]
path = "s.lua"
[embedding]
provider = "openai"
api_key = "\${OPENAI_API_KEY}"
[a2a]
url = "https://zoo.example.com"
push_hosts = ["10.0.0.7"]
`,
  });
  const { state, runnables } = await it.assess({ outside: [{ path: '../shared', target: '/shared' }] });
  expect(state).toBe('untrusted');
  expect(runnables.map(({ kind, name, detail, grants }) => [kind, name, detail, ...grants])).toEqual([
    ['script-agent', 'x', 'agents/x.lua', 'host example.com', 'variable KEY', 'setting key = "${KEY}"'],
    ['module-agent', 'm', 'm.ts'],
    ['script-tool', 't', 't.lua', 'variable HOME'],
    ['connector', 'script.s', 's.lua'],
    ['upstream', 'local', 'node server.js'],
    ['upstream', 'remote', 'https://example.com/mcp'],
    ['connector', 'filesystem.out', '../elsewhere'],
    ['connector', 'git.far', 'git@example.com:a/b.git'],
    ['connector', 'web.w', 'https://example.com'],
    ['connector', 'embedding', 'openai', 'variable OPENAI_API_KEY'],
    ['server', 'a2a', 'gives callers the address https://zoo.example.com; reports tasks to 10.0.0.7'],
    ['outside-folder', '../shared', '/shared'],
  ]);
});

test('a link to an outside folder counts as outside', async () => {
  await using elsewhere = await tempFolder({ 'secret.md': 'x' });
  await using it = await setUp({ 'zoo.toml': '[connectors.filesystem.d]\nroot = "docs"\n' });
  await symlink(elsewhere.path, join(it.folder.path, 'docs'));
  expect((await it.assess()).runnables).toMatchObject([{ kind: 'connector', name: 'filesystem.d' }]);
});

test('an approval is valid until something that it covers changes, and can be revoked', async () => {
  await using it = await setUp({
    'zoo.toml': scriptConfig,
    'agents/x.lua': 'return 1',
    'lib/linked.lua': 'return 4',
  });
  const shown = await it.assess();
  await approveTrust(it.database, shown, shown.hash, now);
  expect((await it.assess()).state).toBe('trusted');

  const changes: ((folder: TempFolder) => Promise<unknown>)[] = [
    (folder) => folder.write('agents/x.lua', 'return 2'),
    (folder) => folder.write('agents/lib/loaded-by-require.lua', 'return 3'),
    (folder) => symlink(join(folder.path, 'lib'), join(folder.path, 'agents/linked')),
    (folder) => folder.write('zoo.toml', scriptConfig.replace('example.com', 'evil.example')),
    (folder) => rm(join(folder.path, 'agents/x.lua')),
  ];
  for (const change of changes) {
    await change(it.folder);
    const changed = await it.assess();
    expect(changed.state).toBe('changed');
    await approveTrust(it.database, changed, changed.hash, now);
    expect((await it.assess()).state).toBe('trusted');
  }
  expect(await revokeTrust(it.database, shown, new Date())).toBe(true);
  expect(await revokeTrust(it.database, shown, new Date())).toBe(false);
  expect((await it.assess()).state).toBe('untrusted');
});

test('scripts behind a link count inside of the workspace, and a link that leaves it is not followed', async () => {
  await using elsewhere = await tempFolder({ 'x.lua': 'return 1' });
  await using it = await setUp({ 'zoo.toml': scriptConfig, 'agents/x.lua': '', 'lib/y.lua': 'return 1' });
  await symlink(join(it.folder.path, 'lib'), join(it.folder.path, 'agents/lib'));
  await symlink(it.folder.path, join(it.folder.path, 'agents/cycle'));
  await symlink(elsewhere.path, join(it.folder.path, 'agents/out'));
  const first = await it.assess();
  await elsewhere.write('x.lua', 'return 2');
  expect((await it.assess()).hash).toBe(first.hash);
  await it.folder.write('lib/y.lua', 'return 2');
  expect((await it.assess()).hash).not.toBe(first.hash);
});

test('a script at the top of the workspace, or outside of it, does not cover subfolders', async () => {
  await using it = await setUp({
    'zoo.toml': scriptConfig.replace('agents/x.lua', 'x.lua'),
    'x.lua': '',
    'deep/y.lua': '1',
  });
  const first = await it.assess();
  await it.folder.write('deep/y.lua', '2');
  expect((await it.assess()).hash).toBe(first.hash);
  await it.folder.write('z.lua', '1');
  expect((await it.assess()).hash).not.toBe(first.hash);
  await it.folder.write('zoo.toml', scriptConfig.replace('agents/x.lua', '/x.lua'));
  expect((await it.assess()).runnables).toMatchObject([{ detail: '/x.lua' }]);
});

test('inline agents, comments and the order of keys do not change what was approved', async () => {
  await using it = await setUp({ 'zoo.toml': scriptConfig, 'agents/x.lua': '' });
  const before = await it.assess();
  const reordered =
    '[agents.script.x]\nkey = "${KEY}"\nallow_hosts = ["example.com"]\npath = "agents/x.lua"\n';
  await it.folder.write('zoo.toml', `# hello\n[agents.new]\nsystem_prompt = "x"\n${reordered}`);
  await it.folder.write('agents/notes.md', 'x');
  expect((await it.assess()).hash).toBe(before.hash);
});

test('the code that an upstream command may run is part of the approval, its data is not', async () => {
  await using it = await setUp({
    'zoo.toml':
      '[tools.mcp.x]\ncommand = "node"\nargs = ["srv/server.js"]\nenv = { NODE_OPTIONS = "--require ./hooks/a.js" }\n',
    'srv/server.js': '1',
    'hooks/a.js': '1',
  });
  const changes: [string, boolean][] = [
    ['srv/server.js', true],
    ['srv/lib/deep/imported.js', true],
    ['srv/package.json', true],
    ['hooks/b.py', true],
    ['package.json', true],
    ['node_modules/.bin/node', true],
    ['srv/memory.json', false],
    ['srv/notes.md', false],
    ['elsewhere/x.js', false],
  ];
  for (const [file, counts] of changes) {
    const before = await it.assess();
    await it.folder.write(file, `changed ${file}`);
    expect([file, (await it.assess()).hash !== before.hash]).toEqual([file, counts]);
  }
});

test('a folder with very much code is checked in part, with a note', async () => {
  await using it = await setUp({
    'zoo.toml': '[tools.mcp.x]\ncommand = "node"\nargs = ["a/a.js"]\n',
    'a/a.js': '',
  });
  expect((await it.assess()).runnables[0]?.grants).toEqual([]);
  for (let n = 0; n < 2000; n += 1) await it.folder.write(`a/b/${n}.js`, '');
  expect((await it.assess()).runnables[0]?.grants.join()).toContain('only the first 2000');
});

test('approving something that has changed since it was shown is a conflict', async () => {
  await using it = await setUp({ 'zoo.toml': scriptConfig, 'agents/x.lua': 'return 1' });
  const shown = await it.assess();
  await it.folder.write('agents/x.lua', 'os.execute("rm -rf /")');
  await expect(approveTrust(it.database, await it.assess(), shown.hash, now)).rejects.toMatchObject({
    code: 'conflict',
    details: { shown: shown.hash },
  });
  expect((await it.assess()).state).toBe('untrusted');
});

test('the config directory of the user and --trust-all need no approval', async () => {
  await using it = await setUp({ 'zoo.toml': scriptConfig });
  expect((await it.assess({ own: true })).state).toBe('own');
  expect((await it.assess({ trustAll: true })).state).toBe('trusted');
  expect((['own', 'trusted', 'changed', 'untrusted', 'nothing-to-trust'] as const).filter(isTrusted)).toEqual(
    ['own', 'trusted'],
  );
});

test('programs of teams, and what the hub removes, are approved in a config that stands in for the own one', async () => {
  const upstream = '[tools.mcp.s]\nurl = "https://example.com"\n';
  await using it = await setUp({ 'zoo.toml': upstream, 'agent.js': 'one' });
  await approveTrust(it.database, await it.assess(), (await it.assess()).hash, now);
  expect((await it.assess()).state).toBe('trusted');
  const harness = '[harness.mine]\ncommand = ["node", "agent.js"]\nread = ["~/.ssh"]\nenv = { A = "b" }\n';
  for (const added of [harness, '[team]\nsandbox = "off"\n', '[runner]\nkeep_days = 0\n']) {
    await it.folder.write('zoo.toml', upstream + added);
    expect([added, (await it.assess()).state]).toEqual([added, 'changed']);
  }
  await it.folder.write('zoo.toml', `${harness}[team]\nsandbox = "off"\n[tools]\nactivity_days = 0\n`);
  const report = await it.assess();
  expect(report.runnables.map(({ kind, name, detail, grants }) => [kind, name, detail, ...grants])).toEqual([
    ['harness', 'mine', 'node agent.js', 'env A=b', 'reads ~/.ssh'],
    ['server', 'team', 'sandbox = "off"'],
    ['server', 'retention', 'activity_days = 0'],
  ]);
  await it.folder.write('agent.js', 'two');
  expect((await it.assess()).hash).not.toBe(report.hash);
});
