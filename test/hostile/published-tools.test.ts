import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startFakeModel } from '../fake-model/fake-model.ts';
import { call, held, lastResult, say, type Step, userText } from '../fake-model/script.ts';
import { tempHome } from '../zoo-command.ts';
import { serving } from './ask-hub.ts';

const publisher = (id: string, tool: string, options = '', tools: readonly string[] = ['sources']) => `
[agents.${id}]
system_prompt = "The password of ${id} is in here."
mode = "tools"
tool_permission = "never"
tools = ${JSON.stringify(tools)}
[[agents.${id}.published_tools]]
name = "${tool}"
description = "d"
prompt = "Look up {name} for {who}."
${options}
[agents.${id}.published_tools.parameters]
type = "object"
properties = { name = { type = "string" }, who = { type = "string" } }
`;

async function stage(steps: readonly Step[], own: string, workspace = '') {
  const model = await startFakeModel(steps, { maxRequests: 10_000 });
  const home = await tempHome({ 'zoo.toml': workspace });
  Object.assign(home.env, { ANTHROPIC_API_KEY: 'sk-of-the-user', ANTHROPIC_BASE_URL: model.url });
  await mkdir(join(home.path, 'config'), { recursive: true });
  await writeFile(join(home.path, 'config/zoo.toml'), own);
  const ask = await serving(home);
  const token = async (agentId: string): Promise<string> =>
    (await ask('POST', '/api/tokens', { body: { agentId } })).body.token;
  return {
    model,
    home,
    token,
    ask,
    async [Symbol.asyncDispose]() {
      await home[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}

const caller = (id: string, tools: readonly string[]) =>
  `[agents.${id}]\nsystem_prompt = "x"\ntools = ${JSON.stringify(tools)}\n`;

it('a bound token calls no published tool outside of its scope, and none of the publisher’s own tools', async () => {
  const own = publisher('trips', 'book') + caller('stranger', ['search']);
  await using at = await stage([say('done')], own);
  const [stranger, trips] = [await at.token('stranger'), await at.token('trips')];
  for (const name of ['trips.book', 'trips__book', 'book']) {
    const { status } = await at.ask('POST', `/tools/${name}`, { token: stranger, body: { name: 'x' } });
    expect([name, status >= 400 && status < 500]).toEqual([name, true]);
  }
  expect((await at.ask('POST', '/tools/sources', { token: trips, body: {} })).status).toBe(403);
  expect(at.model.requests).toEqual([]);
  const used = await at.ask('POST', '/tools/book', { token: trips, body: { name: 'x', who: 'y' } });
  expect(used.status).toBe(200);
  expect(JSON.stringify(used.body)).not.toContain('password');
});

it('a job belongs to the token that started it', async () => {
  const first = held('the answer for one');
  const own = `[runner]\ninline_limit = 0.2\n${publisher('slow', 'look')}${caller('user', ['slow.look'])}`;
  await using at = await stage([first.step], own);
  const [one, two] = [await at.token('user'), await at.token('user')];
  const use = (name: string, token: string, body: object) =>
    at.ask('POST', `/tools/${name}`, { token, body });
  const handle = JSON.stringify((await use('slow.look', one, { name: 'x' })).body);
  const jobId = /jobId\W+([0-9a-f-]{36})/.exec(handle)?.[1] ?? '';
  for (const tool of ['zoo_job_status', 'zoo_job_result', 'zoo_job_cancel']) {
    const stolen = await use(tool, two, { jobId });
    expect([tool, stolen.status]).toEqual([tool, 404]);
  }
  first.release();
  const result = async (token: string) =>
    JSON.stringify((await use('zoo_job_result', token, { jobId })).body);
  await expect.poll(() => result(one)).toContain('the answer for one');
  expect(await result(two)).not.toContain('the answer for one');
});

it('a conversation and a cached result belong to the token that started them', async () => {
  const own =
    publisher('chatty', 'talk', 'context = "shared"') +
    publisher('cached', 'keep', 'cache = 600') +
    caller('user', ['chatty.talk', 'cached.keep']);
  await using at = await stage([say('hello'), say('kept one'), say('kept two')], own);
  const [one, two] = [await at.token('user'), await at.token('user')];
  const use = (name: string, token: string, body: object) =>
    at.ask('POST', `/tools/${name}`, { token, body });
  expect((await use('chatty.talk', one, { name: 'x' })).status).toBe(200);
  const [{ id: contextId }] = (await at.ask('GET', '/api/chats')).body.chats;
  expect((await use('chatty.talk', two, { name: 'x', contextId })).status).toBe(404);

  const keep = async (token: string) => JSON.stringify((await use('cached.keep', token, { name: 'x' })).body);
  const kept = await keep(one);
  expect([kept, await keep(one), await keep(two)]).toEqual([
    expect.stringContaining('kept one'),
    kept,
    expect.stringContaining('kept two'),
  ]);
  expect(at.model.requests).toHaveLength(3);
});

it('an argument is filled in once, and stays text', async () => {
  await using at = await stage([say('done')], publisher('trips', 'book'));
  const token = await at.token('trips');
  const body = { name: '{who} {{who}} $& ${ANTHROPIC_API_KEY} {system_prompt}', who: 'the secret' };
  expect((await at.ask('POST', '/tools/book', { token, body })).status).toBe(200);
  const said = at.model.requests.map(userText).join('');
  expect(said).toBe(`Look up ${body.name} for the secret.`);
});

it('tools that an unapproved workspace publishes reach nobody, whatever an agent of the user lists', async () => {
  const theirs = `${publisher('theirs', 'leak', '', ['*'])}[tools.mcp.x]\ncommand = "node"\n`;
  await using at = await stage([say('done')], caller('greedy', ['*', 'theirs.leak']), theirs);
  const { tools } = (await at.ask('GET', '/tools/list?agent=greedy')).body;
  expect(JSON.stringify(tools)).not.toContain('leak');
  for (const path of ['/tools/theirs.leak', '/tools/theirs.leak?agent=greedy', '/tools/leak?agent=theirs'])
    expect([path, (await at.ask('POST', path, { body: { name: 'x' } })).status >= 400]).toEqual([path, true]);
  expect(at.model.requests).toEqual([]);
});

it('agents that publish to one another end, and a cycle is told to the model', async () => {
  const own = publisher('ping', 'a', '', ['pong.b']) + publisher('pong', 'b', '', ['ping.a']);
  const results: string[] = [];
  const steps: Step[] = [
    call('pong__b', { name: 'x' }),
    call('ping__a', { name: 'x' }),
    (request) => {
      results.push(lastResult(request));
      return say('stopped');
    },
    say('done'),
  ];
  await using at = await stage(steps, own);
  const token = await at.token('ping');
  expect((await at.ask('POST', '/tools/a', { token, body: { name: 'x' } })).status).toBe(200);
  expect(results.join()).toContain('ping → pong → ping');
});

it('a run of a bound token keeps its rights after a restart of the hub: those of the token', async () => {
  const own = publisher('outer', 'ask', '', ['cached.keep']) + publisher('cached', 'keep', 'cache = 600');
  const first = held('lost with the hub');
  const results: string[] = [];
  const readResult: Step = (request) => {
    results.push(lastResult(request));
    return say('done');
  };
  const keep = call('cached__keep', { name: 'x' });
  const ofOperator = [keep, say('for the operator'), say('done')];
  await using at = await stage([...ofOperator, first.step, keep, say('for the token'), readResult], own);
  const token = await at.token('outer');
  const body = { name: 'x' };
  expect((await at.ask('POST', '/tools/outer.ask', { body })).status).toBe(200);
  const asked = at.ask('POST', '/tools/ask', { token, body }).catch(() => null);
  await expect.poll(() => at.model.requests.length).toBe(4);
  await at.home.zoo(['stop']);
  first.release();
  await asked;
  await at.home.serve();
  await expect.poll(() => results).toEqual([expect.stringContaining('for the token')]);
});
