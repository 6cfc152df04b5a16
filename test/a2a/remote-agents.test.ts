import { expect, it } from 'vitest';
import { call, held, lastResult, say } from '../fake-model/script.ts';
import type { ModelRequest } from '../fake-model/wire-format.ts';
import { PATIENCE } from '../patience.ts';
import { stage } from '../publishing/stage.ts';
import { startHub } from '../start-hub.ts';
import { fixture } from '../upstreams/upstream-servers.ts';
import { planSkill } from './planner.ts';

const PLANNER = `
[agents.planner]
name = "Planner"
mode = "autonomous"
system_prompt = "x"
${planSkill('planner')}`;

const caller = (url: string, token: string): string => `
[agents.boss]
system_prompt = "x"
tools = ["trips.*", "sources"]
tool_permission = "never"

[tools.a2a.trips]
url = "${url}/a2a/planner"
headers = { Authorization = "Bearer ${token}" }
`;

it('an agent of one hub uses an agent of another as a tool, streamed end to end', async () => {
  await using remote = await stage([say('Take the night train.'), say('Then a boat.')], PLANNER);
  await using local = await stage(
    [
      call('trips__plan', { message: 'Rome' }),
      (request) => {
        const contextId = /contextId: (\S+)/.exec(lastResult(request))?.[1] ?? '';
        return call('trips__plan', { message: 'And then?', contextId });
      },
      (request) => say(`They say: ${lastResult(request).split('\n')[0]}`),
    ],
    caller(remote.hub.url, remote.hub.token),
  );
  const { tools } = (await local.hub.request('GET', '/tools/list?agent=boss')).body;
  await expect
    .poll(async () => JSON.stringify((await local.hub.request('GET', '/tools/list?agent=boss')).body))
    .toContain('trips__plan');
  expect(Array.isArray(tools)).toBe(true);
  const context = local.hub.hub.localContext(await local.hub.hub.workspaceFor(undefined));
  const { id } = await local.hub.hub.operations.startRun(
    { body: { agent: 'boss', prompt: 'Plan' } },
    context,
  );
  const progress: string[] = [];
  for await (const { event } of local.hub.hub.operations.followRun({ id }, context)) {
    if (event.type === 'tool-progress') progress.push(event.message ?? '');
    if (event.type === 'done') break;
  }
  const run = await local.hub.hub.operations.getRun({ id }, context);
  expect([run.state, run.text]).toEqual(['completed', 'They say: Then a boat.']);
  expect(progress).toContain('Take the night train.');
  const chats = (await remote.hub.request('GET', '/api/chats')).body;
  expect(chats.total).toBe(1);
  expect(remote.model.requests.map(({ messages }) => messages.length)).toEqual([1, 3]);
});

it('a question of the remote agent is answered by another call', async () => {
  const kitchen = `${PLANNER.replace('[[', 'tools = ["kitchen.order"]\ntool_permission = "never"\n\n[[')}${fixture('kitchen', 'legacy')}`;
  const order = [call('order', { as: 'Ann' }), (request: ModelRequest) => say(lastResult(request))];
  await using remote = await stage(order, kitchen);
  await remote.hub.request('POST', '/tools/kitchen__who', {});
  await using local = await stage(
    [
      call('trips__plan', { message: 'Tea' }),
      (request) => {
        const result = lastResult(request);
        expect(result).toContain('What does Ann want?');
        const taskId = /taskId: (\S+)/.exec(result)?.[1] ?? '';
        return call('trips__plan', { message: 'green tea', taskId });
      },
      (request) => say(lastResult(request)),
    ],
    caller(remote.hub.url, remote.hub.token),
  );
  await expect
    .poll(async () => JSON.stringify((await local.hub.request('GET', '/tools/list?agent=boss')).body))
    .toContain('trips__plan');
  const { id } = (await local.hub.request('POST', '/api/runs', { agent: 'boss', prompt: 'Tea' })).body;
  const run = async () => (await local.hub.request('GET', `/api/runs/${id}`)).body;
  await expect.poll(async () => (await run()).state, PATIENCE).toBe('completed');
  expect((await run()).text).toContain('"what":"green tea"');
});

it('a cancelled call cancels the task of the remote agent', async () => {
  const slow = held('too late');
  await using remote = await stage([slow.step], PLANNER);
  await using local = await stage(
    [call('trips__plan', { message: 'Rome' })],
    caller(remote.hub.url, remote.hub.token),
  );
  await expect
    .poll(async () => JSON.stringify((await local.hub.request('GET', '/tools/list?agent=boss')).body))
    .toContain('trips__plan');
  const { id } = (await local.hub.request('POST', '/api/runs', { agent: 'boss', prompt: 'Plan' })).body;
  await expect.poll(() => remote.model.requests.length + remote.model.asides.length).toBe(1);
  await local.hub.request('POST', `/api/runs/${id}/cancel`);
  await expect
    .poll(async () => (await remote.hub.request('GET', '/api/runs')).body.runs[0]?.state)
    .toBe('cancelled');
  slow.release();
});

it('an agent of a config that was not approved is not called, and trust shows it', async () => {
  const config = '[tools.a2a.spy]\nurl = "http://127.0.0.1:1/a2a/x"\n';
  await using hub = await startHub({ 'zoo.toml': config });
  const { tools } = (await hub.request('GET', '/tools/list')).body;
  expect(JSON.stringify(tools)).not.toContain('spy');
  const { body } = await hub.request('GET', '/api/workspaces');
  expect(JSON.stringify(body)).not.toContain('cannot be reached');
  const trust = (await hub.request('GET', '/api/trust')).body;
  expect(JSON.stringify(trust)).toContain('a2a.spy');
});
