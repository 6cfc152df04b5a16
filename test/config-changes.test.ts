import { lstatSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { startHub } from './start-hub.ts';
import { tempFolder } from './temp-folder.ts';
import { fixture } from './upstreams/upstream-servers.ts';

const config = '# ours\n[tools.mcp.memory] # keep\ncommand = "npx"\nargs = ["-y", "memory"]\n';
const pasted = JSON.stringify({
  mcpServers: {
    files: { command: 'npx', args: ['-y', 'files'], env: { API_KEY: 'sk-very-secret' } },
    memory: { command: 'other' },
  },
});

test('pasted servers are shown as a diff, then written with comments kept and secrets replaced', async () => {
  await using hub = await startHub({ 'zoo.toml': config });
  const file = join(hub.folder, 'zoo.toml');
  const change = { kind: 'paste-servers', text: pasted };
  const { body: shown } = await hub.request('POST', '/api/config/preview', { change, target: 'workspace' });
  expect(shown).toMatchObject({ exists: true, before: config, trust: 'untrusted' });
  expect(shown.after.startsWith(config)).toBe(true);
  expect(shown.after).toContain('[tools.mcp.files]');
  expect(JSON.stringify(shown)).not.toContain('sk-very-secret');
  expect(shown.added[0].notes[0]).toContain('zoo secret set API_KEY');
  expect(shown.skipped).toEqual([
    { name: 'memory', from: 'the pasted text', why: 'the config has another server with this name' },
  ]);
  expect(readFileSync(file, 'utf8')).toBe(config);

  const body = { change, target: 'workspace', hash: shown.hash };
  writeFileSync(file, `${config}# edited\n`);
  expect((await hub.request('POST', '/api/config/apply', body)).body.error.code).toBe('conflict');
  writeFileSync(file, config);
  await hub.request('POST', '/api/config/apply', body);
  expect(readFileSync(file, 'utf8')).toBe(shown.after);
  const { body: list } = await hub.request('GET', '/api/upstreams');
  expect(list.upstreams.map((each: { name: string; state: string }) => [each.name, each.state])).toEqual([
    ['memory', 'untrusted'],
    ['files', 'untrusted'],
  ]);
});

test('a server is disabled and enabled without losing the approval of the workspace', async () => {
  await using hub = await startHub({ 'zoo.toml': config });
  const { body: trust } = await hub.request('GET', '/api/trust');
  await hub.request('PUT', '/api/trust', { hash: trust.hash });
  const turn = (disabled: boolean) =>
    hub.request('POST', '/api/config/apply', {
      change: { kind: 'switch-server', name: 'memory', disabled },
      target: 'workspace',
    });
  const stateNow = async (): Promise<unknown> =>
    (await hub.request('GET', '/api/upstreams')).body.upstreams[0].state;
  expect((await turn(true)).body).toMatchObject({ trust: 'trusted' });
  expect(await stateNow()).toBe('disabled');
  expect((await turn(false)).body).toMatchObject({ trust: 'trusted', after: config });
  expect(await stateNow()).not.toBe('disabled');
  writeFileSync(join(hub.folder, 'zoo.toml'), config.replace('"-y", ', ''));
  expect((await turn(true)).body).toMatchObject({ trust: 'changed' });
});

test('switching one server leaves the others running, and their failures in sight', async () => {
  const gone = '[tools.mcp.gone]\ncommand = "no-such-program"\n';
  const toml = fixture('one', 'legacy') + fixture('two', 'legacy', { name: 'two' }) + gone;
  await using hub = await startHub({ 'zoo.toml': toml });
  const { body: trust } = await hub.request('GET', '/api/trust');
  await hub.request('PUT', '/api/trust', { hash: trust.hash });
  const { body: before } = await hub.request('POST', '/api/upstreams/check');
  const switched = (disabled: boolean) =>
    hub.request('POST', '/api/config/apply', {
      change: { kind: 'switch-server', name: 'one', disabled },
      target: 'workspace',
    });
  await switched(true);
  await switched(false);
  const { body: after } = await hub.request('GET', '/api/upstreams');
  expect(before.upstreams[1]).toMatchObject({ name: 'two', state: 'ready', pid: expect.any(Number) });
  expect(after.upstreams.slice(1)).toEqual(before.upstreams.slice(1));
  expect(after.upstreams[2]).toMatchObject({ state: 'failed', error: expect.stringContaining('not found') });
});

test('sources go to the workspace or to the config of the user, and only once', async () => {
  await using hub = await startHub();
  const source = { type: 'filesystem', name: 'docs', root: 'docs', include_globs: ['**/*.md'] };
  const add = (target: string) =>
    hub.request('POST', '/api/config/apply', { change: { kind: 'add-source', source }, target });
  const first = await add('workspace');
  expect(readFileSync(join(hub.folder, 'zoo.toml'), 'utf8')).toBe(
    '[connectors.filesystem.docs]\nroot = "docs"\ninclude_globs = ["**/*.md"]\n',
  );
  expect(first.body.exists).toBe(false);
  expect((await add('workspace')).body.error).toMatchObject({ code: 'already_exists' });
  expect((await add('user')).body).toMatchObject({ trust: 'own', exists: false });
  const { body } = await hub.request('GET', '/api/knowledge/sources');
  expect(body.sources.map((each: { id: string }) => each.id)).toContain('filesystem:docs');
  const removed = await hub.request('POST', '/api/config/apply', {
    change: { kind: 'remove-source', id: 'filesystem:docs' },
    target: 'workspace',
  });
  expect(removed.body.after).toBe('');
});

test.each([
  [{ kind: 'paste-servers', text: '{ "mcpServers": {' }, /pasted text is not valid, line 1/],
  [{ kind: 'paste-servers', text: 'hello = "world"' }, /has no servers: expected/],
  [{ kind: 'switch-server', name: 'nope', disabled: true }, /has no server 'nope'/],
  [
    { kind: 'add-source', source: { type: 'web', name: 'a b', url: 'https://example.com' } },
    /letters, digits/,
  ],
])('a change that is not possible is refused with a reason: %j', async (change, reason) => {
  await using hub = await startHub({ 'zoo.toml': config });
  const { body } = await hub.request('POST', '/api/config/apply', { change, target: 'workspace' });
  expect(body.error.message).toMatch(reason);
  expect(readFileSync(join(hub.folder, 'zoo.toml'), 'utf8')).toBe(config);
});

test('a config that is broken is not written to', async () => {
  await using hub = await startHub({ 'zoo.toml': '[tools.mcp\n' });
  const { body } = await hub.request('POST', '/api/config/preview', {
    change: { kind: 'paste-servers', text: pasted },
    target: 'workspace',
  });
  expect(body.error.message).toMatch(/zoo\.toml:2: .*Nothing was changed/);
});

test('changes at the same time are all written, or refused', async () => {
  await using hub = await startHub({ 'zoo.toml': config });
  const names = Array.from({ length: 8 }, (_, index) => `server-${index}`);
  const { body: shown } = await hub.request('POST', '/api/config/preview', {
    change: { kind: 'paste-servers', text: pasted },
    target: 'workspace',
  });
  const add = (name: string, hash?: string) =>
    hub.request('POST', '/api/config/apply', {
      change: { kind: 'paste-servers', text: JSON.stringify({ [name]: { command: name } }) },
      target: 'workspace',
      hash,
    });
  const answers = await Promise.all(names.map((name) => add(name)));
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
  const written = readFileSync(join(hub.folder, 'zoo.toml'), 'utf8');
  expect(written.startsWith(config)).toBe(true);
  expect(names.filter((name) => !written.includes(`[tools.mcp.${name}]`))).toEqual([]);

  const { body: latest } = await hub.request('POST', '/api/config/preview', {
    change: { kind: 'paste-servers', text: pasted },
    target: 'workspace',
  });
  expect(latest.hash).not.toBe(shown.hash);
  const two = await Promise.all([add('one', latest.hash), add('two', latest.hash)]);
  expect(new Set(two.map(({ status }) => status))).toEqual(new Set([200, 409]));
});

test('a config that is a link out of an unapproved workspace is not written to', async () => {
  await using outside = await tempFolder({ 'settings.toml': '[mine]\n' });
  await using hub = await startHub();
  const change = { kind: 'paste-servers', text: pasted };
  for (const target of ['settings.toml', 'missing.toml']) {
    rmSync(join(hub.folder, 'zoo.toml'), { force: true });
    symlinkSync(join(outside.path, target), join(hub.folder, 'zoo.toml'));
    for (const action of ['preview', 'apply']) {
      const { body } = await hub.request('POST', `/api/config/${action}`, { change, target: 'workspace' });
      expect(body.error.message).toMatch(/zoo\.toml is a link to .*, outside of its folder/);
    }
  }
  expect(readdirSync(outside.path)).toEqual(['settings.toml']);
  expect(readFileSync(join(outside.path, 'settings.toml'), 'utf8')).toBe('[mine]\n');
});

test('a link in the place of a draft or a backup does not lead a change to another file', async () => {
  await using outside = await tempFolder({ profile: 'mine\n' });
  await using hub = await startHub({ 'zoo.toml': config });
  const profile = join(outside.path, 'profile');
  symlinkSync(profile, join(hub.folder, `.zoo.toml.zoo-${process.pid}`));
  symlinkSync(profile, join(hub.folder, 'zoo.toml.zoo-backup'));
  const change = { kind: 'paste-servers', text: pasted };
  const { status } = await hub.request('POST', '/api/config/apply', { change, target: 'workspace' });
  expect(status).toBe(200);
  expect(readFileSync(profile, 'utf8')).toBe('mine\n');
  expect(lstatSync(join(hub.folder, 'zoo.toml')).isFile()).toBe(true);
});

test('the last lines of a server are read, and where the hub looks for commands', async () => {
  await using hub = await startHub({
    'zoo.toml': '[tools.mcp.quiet]\ncommand = "node"\nargs = ["-e", "setInterval(() => undefined, 1000)"]\n',
  });
  const refused = await hub.request('GET', '/api/upstreams/quiet/log');
  expect(refused.body.error.code).toBe('untrusted');
  const { body: trust } = await hub.request('GET', '/api/trust');
  await hub.request('PUT', '/api/trust', { hash: trust.hash });
  const { body } = await hub.request('GET', '/api/upstreams/quiet/log');
  expect(body.text).toBe('');
  expect(body.searchPath).toEqual([...new Set(process.env['PATH']?.split(delimiter).filter(Boolean))]);
});
