import { expect, it } from 'vitest';
import { call, hang, lastResult, say, type Step } from '../fake-model/script.ts';
import { tempFolder } from '../temp-folder.ts';
import { stage, TRIP } from './stage.ts';

it('a call that is repeated under its key gets the answer of the first', async () => {
  await using at = await stage([say('Booked.')]);
  const headers = { 'idempotency-key': 'one booking' };
  const book = () => at.hub.request('POST', '/tools/trips.book_flight', TRIP, headers);
  const atOnce = await Promise.all([1, 2, 3, 4, 5, 6].map(book));
  const later = await book();
  for (const { status, body } of [...atOnce, later])
    expect({ status, text: body.result[0].text }).toEqual({ status: 200, text: 'Booked.' });
  expect(at.model.requests).toHaveLength(1);
  expect((await at.hub.request('GET', '/api/runs')).body.total).toBe(1);
  const other = { ...TRIP, destination: 'Rome' };
  const wrong = await at.hub.request('POST', '/tools/trips.book_flight', other, headers);
  expect(wrong.status).toBe(409);
});

const agent = (id: string, tools: string) => `
[agents.${id}]
mode = "tools"
tools = ["${tools}"]
tool_permission = "never"
[[agents.${id}.published_tools]]
name = "do"
prompt = "Do {what} as ${id}."
parameters = { type = "object", properties = { what = { type = "string" } }, required = ["what"] }
`;

it('after a restart, a run waits for the run that it had started', async () => {
  await using home = await tempFolder();
  await using folder = await tempFolder();
  const same = { home: home.path, folder: folder.path };
  const config = `[runner]\ninline_limit = 0.1\n${agent('a', 'b.do')}${agent('b', 'sources')}`;
  const first = await stage([call('b__do', { what: 'it' }), hang()], config, same);
  await first.hub.request('POST', '/tools/a.do', { what: 'it' });
  await expect.poll(() => first.model.requests.length).toBe(2);
  await first[Symbol.asyncDispose]();

  const steps: Step[] = [say('done by b'), (request) => say(`a: ${lastResult(request)}`)];
  await using at = await stage(steps, config, same);
  const runs = async () => (await at.hub.request('GET', '/api/runs')).body.runs;
  const stateOf = async (id: string) =>
    (await runs()).find(({ agentId }: { agentId: string }) => agentId === id);
  await expect.poll(async () => (await stateOf('a')).state).toBe('completed');
  expect(await runs()).toHaveLength(2);
  const { text } = (await at.hub.request('GET', `/api/runs/${(await stateOf('a')).id}`)).body;
  expect(text).toBe('a: done by b');
});
