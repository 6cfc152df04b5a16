import { expect, it } from 'vitest';
import { call, lastResult, say, type Step } from '../fake-model/script.ts';
import { connect } from '../mcp/mcp-clients.ts';
import { stage } from './stage.ts';

const agent = (id: string, tools: string[]) => `
[agents.${id}]
description = "Agent ${id}."
mode = "tools"
tools = ${JSON.stringify(tools)}
tool_permission = "never"
[[agents.${id}.published_tools]]
name = "do"
prompt = "Do {what} as ${id}."
parameters = { type = "object", properties = { what = { type = "string" } }, required = ["what"] }
`;

const CHAIN = [agent('a', ['b.do']), agent('b', ['c.do']), agent('c', ['sources', 'a.do'])].join('\n');

it("an agent's published tools are in the catalogue for the scopes of others", async () => {
  await using at = await stage([], CHAIN);
  await using all = await connect(at.hub, { transport: 'http', era: 'modern' });
  const { tools } = await all.client.listTools();
  const names = tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['a__do', 'b__do', 'c__do', 'zoo_job_status']));
  const explained = await at.hub.request('GET', '/api/scope/a/explain?tool=b.do');
  expect(explained.body.allowed ?? explained.body).toBeTruthy();
});

it('a chain of three agents works, each as a run of its own', async () => {
  const steps: Step[] = [
    call('b__do', { what: 'it' }),
    call('c__do', { what: 'it' }),
    say('done by c'),
    (request) => say(`b: ${lastResult(request)}`),
    (request) => say(`a: ${lastResult(request)}`),
  ];
  await using at = await stage(steps, CHAIN);
  const { body } = await at.hub.request('POST', '/tools/a.do', { what: 'it' });
  expect(body.result[0].text).toBe('a: b: done by c');
  expect((await at.hub.request('GET', '/api/runs')).body.total).toBe(3);
});

it('a cycle is refused with its path', async () => {
  const steps: Step[] = [
    call('b__do', { what: 'it' }),
    call('c__do', { what: 'it' }),
    call('a__do', { what: 'it' }),
    (request) => say(lastResult(request)),
    (request) => say(lastResult(request)),
    (request) => say(lastResult(request)),
  ];
  await using at = await stage(steps, CHAIN);
  const { body } = await at.hub.request('POST', '/tools/a.do', { what: 'it' });
  expect(body.result[0].text).toContain("Calling 'a.do' would be a cycle: a → b → c → a.");
});

it('a chain that is too deep is refused, and its caller continues', async () => {
  const ids = Array.from({ length: 11 }, (_, index) => `a${index}`);
  const config = ids.map((id, index) => agent(id, [index < 10 ? `a${index + 1}.do` : 'sources'])).join('\n');
  const down: Step = (request) => {
    const next = request.tools.find(({ name }) => name.endsWith('__do'))?.name ?? '';
    const result = lastResult(request);
    return { ...(result === '' ? call(next, { what: 'it' }) : say(result)), again: true };
  };
  await using at = await stage([down], config);
  const { body } = await at.hub.request('POST', '/tools/a0.do', { what: 'it' });
  expect(body.result[0].text).toContain('Agents call one another more than 8 levels deep.');
  const { runs } = (await at.hub.request('GET', '/api/runs')).body;
  expect(runs.map(({ state }: { state: string }) => state)).toEqual(Array(9).fill('completed'));
});

it('a chain of three agents spends from one budget', async () => {
  const steps: Step[] = [
    call('b__do', { what: 'it' }),
    call('c__do', { what: 'it' }),
    { ...call('sources'), again: true },
  ];
  const config = `[runner]\nmax_output_tokens = 50\n[budget]\nrun = { tokens = 800 }\n${CHAIN}`;
  await using at = await stage(steps, config);
  const { status, body } = await at.hub.request('POST', '/tools/a.do', { what: 'it' });
  expect({ status, code: body.error?.code }).toEqual({ status: 429, code: 'budget_exceeded' });
  const { runs } = (await at.hub.request('GET', '/api/runs')).body;
  expect(runs.map(({ state }: { state: string }) => state)).toEqual(['failed', 'failed', 'failed']);
  expect(at.model.requests.length).toBeGreaterThan(3);
});

it('100 calls at once are isolated', async () => {
  const answer: Step = (request) => ({ ...say(request.messages.at(-1)?.text ?? ''), again: true });
  await using at = await stage([answer], agent('c', ['sources']));
  const calls = Array.from({ length: 100 }, (_, index) =>
    at.hub.request('POST', '/tools/c.do', { what: `number ${index}` }),
  );
  const texts = (await Promise.all(calls)).map(({ body }) => body.result[0].text);
  expect(texts).toEqual(texts.map((_, index) => `Do number ${index} as c.`));
});
