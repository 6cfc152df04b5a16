import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { tempHome } from '../zoo-command.ts';

type Home = Awaited<ReturnType<typeof tempHome>>;

async function serving(home: Home) {
  const { url } = await home.serve();
  const operator = (await readFile(join(home.path, 'home/operator-token'), 'utf8')).trim();
  return async (
    method: string,
    path: string,
    { body, token = operator, headers = {} }: { body?: unknown; token?: string; headers?: object } = {},
  ) => {
    const response = await fetch(url.replace(/\/$/, '') + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text,
    };
  };
}

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
  }, 10_000);
  expect((await ask('POST', '/tools/agent_zoo_list_agents', { token, body: {} })).status).toBe(401);
});

it('an idempotency key answers only the same request of the same token', async () => {
  await using home = await tempHome({ 'zoo.toml': '[agents.a]\nsystem_prompt = "x"\ntools = ["*"]\n' });
  const ask = await serving(home);
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
