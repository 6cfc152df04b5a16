import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { api } from '../../src/contract/api.ts';
import { tempHome } from '../zoo-command.ts';
import { serving } from './ask-hub.ts';
import { PATIENCE } from '../patience.ts';

it('a workspace that defines an agent of the same id does not take over the token of the user’s own agent', async () => {
  await using home = await tempHome({ 'zoo.toml': '' });
  await mkdir(join(home.path, 'config'), { recursive: true });
  const own = '[agents.helper]\nsystem_prompt = "mine"\ntools = ["agent_zoo_list_agents"]\n';
  await writeFile(join(home.path, 'config/zoo.toml'), own);
  const ask = await serving(home);
  const { token } = (await ask('POST', '/api/tokens', { body: { agentId: 'helper' } })).body;
  expect((await ask('GET', '/tools/list?agent=helper', { token })).status).toBe(200);

  await home.write('zoo.toml', '[agents.helper]\nsystem_prompt = "theirs"\ntools = ["*"]\n');
  await vi.waitFor(async () => {
    const answer = await ask('GET', '/tools/list?agent=helper', { token });
    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } });
  }, PATIENCE);
  expect((await ask('POST', '/tools/agent_zoo_list_agents', { token, body: {} })).status).toBe(401);
});

it('a group of a workspace that has the name of a tool adds nothing to the user’s own agents', async () => {
  await using home = await tempHome({ 'zoo.toml': '[tools.groups]\nsearch = ["*"]\n' });
  await mkdir(join(home.path, 'config'), { recursive: true });
  await writeFile(
    join(home.path, 'config/zoo.toml'),
    '[agents.helper]\nsystem_prompt = "x"\ntools = ["search"]\n',
  );
  const ask = await serving(home);
  const { token } = (await ask('POST', '/api/tokens', { body: { agentId: 'helper' } })).body;
  const { tools } = (await ask('GET', '/tools/list?agent=helper', { token })).body;
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(['search']);
  const entry = { agentId: 'helper', type: 'note', content: 'x' };
  expect((await ask('POST', '/tools/agent_zoo_create_brain_entry', { token, body: entry })).status).toBe(403);
});

it('a token bound to an agent is refused by every operation for the operator', async () => {
  await using home = await tempHome({ 'zoo.toml': '[agents.a]\nsystem_prompt = "x"\n' });
  const ask = await serving(home);
  const { token } = (await ask('POST', '/api/tokens', { body: { agentId: 'a' } })).body;
  const operations = Object.entries(api).filter(([, { access }]) => access === 'operator');
  expect(operations.map(([name]) => name)).toEqual(
    expect.arrayContaining(['startRun', 'answerQuestion', 'listProviders', 'approveTrust']),
  );
  for (const [name, { method, path }] of operations) {
    const { status } = await ask(method, path.replaceAll(/\{\w+\}/g, 'a'), { token });
    expect([name, status]).toEqual([name, 403]);
  }
});

it('an idempotency key answers only the same request of the same token', async () => {
  await using home = await tempHome({ 'zoo.toml': '[agents.a]\nsystem_prompt = "x"\ntools = ["*"]\n' });
  const ask = await serving(home);
  await home.zoo(['trust', '--yes']);
  const tokens = await Promise.all(
    [1, 2].map(async () => (await ask('POST', '/api/tokens', { body: { agentId: 'a' } })).body.token),
  );
  const headers = { 'idempotency-key': 'k1' };
  const note = (content: string, token: string) =>
    ask('POST', '/tools/agent_zoo_create_brain_entry', {
      token,
      headers,
      body: { agentId: 'a', type: 'note', content },
    });
  const first = await note('one', tokens[0]);
  expect(first.status).toBe(200);
  expect((await note('one', tokens[0])).body).toEqual(first.body);
  expect(await note('two', tokens[0])).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
  const other = await note('one', tokens[1]);
  expect(other.status).toBe(200);
  expect(JSON.stringify(other.body)).not.toBe(JSON.stringify(first.body));
});

it('an address that the page reads opens no folder', async () => {
  await using home = await tempHome({ 'zoo.toml': '' });
  const elsewhere = join(home.path, 'cloned');
  await mkdir(elsewhere);
  await writeFile(join(elsewhere, 'zoo.toml'), '');
  const ask = await serving(home);
  const { path } = (await ask('POST', '/api/logins')).body;
  const code = path.slice(path.indexOf('=') + 1);
  const { token } = (await ask('POST', '/api/logins/exchange', { token: '', body: { code } })).body;
  const link = `/api/agents?workspace=${encodeURIComponent(elsewhere)}`;
  expect((await ask('GET', link, { token })).status).toBe(404);
  const paths = async () =>
    (await ask('GET', '/api/workspaces')).body.workspaces.map((each: { path: string }) => each.path);
  expect(await paths()).not.toContain(elsewhere);
  await ask('POST', '/api/workspaces', { body: { path: elsewhere } });
  expect(await paths()).toContain(elsewhere);
  expect((await ask('GET', link, { token })).status).toBe(200);
});

it('agents of an unapproved workspace get read-only built-ins at most, and zoo trust shows what waits', async () => {
  await using home = await tempHome({
    'zoo.toml':
      '[tools.groups]\nsearch = ["*"]\n[agents.greedy]\nsystem_prompt = "x"\ntools = ["search", "*"]\n',
  });
  const ask = await serving(home);
  const entry = { agentId: 'greedy', type: 'note', content: 'x' };
  const write = () => ask('POST', '/tools/agent_zoo_create_brain_entry?agent=greedy', { body: entry });
  expect(await write()).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  const { tools } = (await ask('GET', '/tools/list?agent=greedy')).body;
  expect(
    tools.every(({ annotations }: { annotations: { readOnlyHint: boolean } }) => annotations.readOnlyHint),
  ).toBe(true);
  expect((await home.zoo(['trust'])).out).toContain('agent-tools greedy');
  await home.zoo(['trust', '--yes']);
  expect((await write()).status).toBe(200);
  const later = [
    '[agents.greedy]\nsystem_prompt = "x"\ntools = ["agent_zoo_*"]\n',
    '[tools.groups]\nget = ["*"]\n[agents.greedy]\nsystem_prompt = "x"\ntools = ["get"]\n',
  ];
  for (const changed of later) {
    await home.write('zoo.toml', changed);
    await vi.waitFor(async () => expect((await write()).status).toBe(403), PATIENCE);
    await home.zoo(['trust', '--yes']);
    expect((await write()).status).toBe(200);
  }
  // A call that needed the operator's approval must not lose that in silence.
  await home.write('zoo.toml', `${later[1]}tool_permission = "never"\n`);
  await vi.waitFor(async () => expect((await write()).status).toBe(403), PATIENCE);
  expect((await home.zoo(['trust'])).out).toContain('calls all of them without asking');
});
