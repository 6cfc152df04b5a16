import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { ToolCall } from '../../src/contract/tool.ts';
import { call, hang, held, say } from '../fake-model/script.ts';
import { type Connected, connect } from '../mcp/mcp-clients.ts';
import { testTool } from '../runs/run-stage.ts';
import { stage, TRIP, TRIPS_TOML } from './stage.ts';

const OVER_HTTP = { transport: 'http', era: 'legacy' } as const;
const Structured = z.record(z.string(), z.unknown());
/** Half a second stands for the 45 s of the default. */
const SHORT = `[runner]\ninline_limit = 0.5\n${TRIPS_TOML}`;

async function ask({ client }: Connected, name: string, args: Record<string, unknown>) {
  const params = { name, arguments: args };
  const { content, isError, _meta, structuredContent } = await client.callTool(params);
  const [first] = content;
  const structured = Structured.parse(structuredContent ?? {});
  return { text: first?.type === 'text' ? first.text : '', isError, meta: _meta, structured };
}

async function untilDone(connected: Connected, jobId: string): Promise<void> {
  const state = async () => (await ask(connected, 'zoo_job_status', { jobId })).structured['state'];
  await expect.poll(state).not.toMatch(/running|queued/);
}

describe('a call that takes longer than the inline limit', () => {
  it('becomes a job that tells the model what to do, and its answer is not lost', async () => {
    const booking = held('Booked after a while.');
    await using at = await stage([booking.step], SHORT);
    await using connected = await connect(at.hub, OVER_HTTP, { agent: 'trips' });
    const handle = await ask(connected, 'book_flight', TRIP);
    expect(handle.text).toMatch(/still working.*zoo_job_status with \{"jobId":".*"\}.*Do not call/s);
    const jobId = String(handle.meta?.['jobId']);
    expect((await ask(connected, 'zoo_job_result', { jobId })).text).toContain('still working');
    await expect.poll(() => at.model.requests.length).toBe(1);
    for (const _time of [1, 2])
      expect((await ask(connected, 'zoo_job_status', { jobId })).structured).toMatchObject({
        state: 'running',
      });
    booking.release();
    await untilDone(connected, jobId);
    expect(await ask(connected, 'zoo_job_result', { jobId })).toMatchObject({
      text: 'Booked after a while.',
      meta: { runId: jobId, usage: { outputTokens: expect.any(Number) } },
    });
    expect(at.model.requests).toHaveLength(1);
  });

  it('can be cancelled, and stops asking the model', async () => {
    let aborted = false;
    await using at = await stage([hang(() => (aborted = true)), say('never')], SHORT);
    await using connected = await connect(at.hub, OVER_HTTP, { agent: 'trips' });
    const jobId = (await ask(connected, 'book_flight', TRIP)).meta?.['jobId'];
    await expect.poll(() => at.model.requests.length).toBe(1);
    expect((await ask(connected, 'zoo_job_cancel', { jobId })).structured).toMatchObject({
      state: 'cancelled',
    });
    expect(await ask(connected, 'zoo_job_result', { jobId })).toMatchObject({
      isError: true,
      text: expect.stringContaining('was cancelled'),
    });
    await expect.poll(() => aborted).toBe(true);
    expect(at.model.requests).toHaveLength(1);
  });

  it('is seen by its own caller only, and by the operator', async () => {
    const booking = held('Booked.');
    await using at = await stage([booking.step], SHORT);
    const token = async () => (await at.hub.request('POST', '/api/tokens', { agentId: 'trips' })).body.token;
    await using one = await connect(at.hub, OVER_HTTP, { agent: 'trips', token: await token() });
    await using other = await connect(at.hub, OVER_HTTP, { agent: 'trips', token: await token() });
    await using operator = await connect(at.hub, OVER_HTTP);
    const jobId = (await ask(one, 'book_flight', TRIP)).meta?.['jobId'];
    for (const name of ['zoo_job_status', 'zoo_job_result', 'zoo_job_cancel']) {
      expect((await ask(other, name, { jobId })).text).toContain('JOB_NOT_FOUND');
    }
    booking.release();
    expect((await ask(operator, 'zoo_job_status', { jobId })).isError).toBeUndefined();
    expect((await ask(one, 'zoo_job_status', { jobId })).isError).toBeUndefined();
  });

  it('has its result once it is done, however many events it had', async () => {
    const noisy = async (_: unknown, { progress }: ToolCall): Promise<string> => {
      for (let done = 1; done <= 20_000; done++) progress(done, 20_000, `file ${done}`);
      return 'All read.';
    };
    const config = SHORT.replace('tools = ["sources"]', 'tools = ["noisy"]');
    const last = held('Booked.');
    const extensions = [{ tools: [testTool('noisy', noisy, true)] }];
    await using at = await stage([call('noisy'), last.step], config, { extensions, threads: true });
    await using connected = await connect(at.hub, OVER_HTTP, { agent: 'trips' });
    const { meta } = await ask(connected, 'book_flight', TRIP);
    last.release();
    const jobId = String(meta?.['jobId']);
    await untilDone(connected, jobId);
    expect((await ask(connected, 'zoo_job_result', { jobId })).text).toBe('Booked.');
  });

  it('fits its output schema although it has no result yet', async () => {
    const output =
      'output = { type = "object", properties = { price = { type = "number" } }, required = ["price"] }';
    const config = SHORT.replace('\nprompt =', `\n${output}\nprompt =`);
    const [fits, fails] = [held('{"price": 99}'), held('{"price": "no"}')];
    await using at = await stage([fits.step, fails.step], config);
    await using connected = await connect(at.hub, OVER_HTTP, { agent: 'trips' });
    await connected.client.listTools();
    const handle = await ask(connected, 'book_flight', TRIP);
    const jobId = String(handle.structured['jobId']);
    fits.release();
    await untilDone(connected, jobId);
    expect(await ask(connected, 'zoo_job_result', { jobId })).toMatchObject({
      structured: { price: 99 },
    });
    const second = await ask(connected, 'book_flight', TRIP);
    const slow = String(second.structured['jobId']);
    fails.release();
    await untilDone(connected, slow);
    const wrong = await ask(connected, 'zoo_job_result', { jobId: slow });
    expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('price must be') });
  });
});

it('a cancelled call is stopped, because its result could not be fetched', async () => {
  await using at = await stage([hang(), say('never')]);
  await using connected = await connect(at.hub, OVER_HTTP, { agent: 'trips' });
  const giveUp = new AbortController();
  const params = { name: 'book_flight', arguments: TRIP };
  const outcome = connected.client.callTool(params, { signal: giveUp.signal }).catch(String);
  await expect.poll(() => at.model.requests.length).toBe(1);
  giveUp.abort(new Error('gave up'));
  expect(await outcome).toContain('gave up');
  const runs = async () => (await at.hub.request('GET', '/api/runs')).body.runs;
  await expect.poll(async () => (await runs())[0]?.state).toBe('cancelled');
});

describe('options of a published tool', () => {
  const withOption = (line: string) => TRIPS_TOML.replace('\nprompt =', `\n${line}\nprompt =`);

  it('cache answers an equal call from the last result, until the agent changes', async () => {
    await using at = await stage([say('one'), say('two'), say('three')], withOption('cache = 60'));
    const book = async (trip: object) =>
      (await at.hub.request('POST', '/tools/trips.book_flight', trip)).body.result[0].text;
    const reordered = { departure_date: TRIP.departure_date, destination: TRIP.destination };
    expect([await book(TRIP), await book(reordered), await book({ ...TRIP, destination: 'Rome' })]).toEqual([
      'one',
      'one',
      'two',
    ]);
  });

  it('shared continues a conversation by its contextId, for programs and for models', async () => {
    await using at = await stage([say('one'), say('two'), say('three')], withOption('context = "shared"'));
    await using connected = await connect(at.hub, OVER_HTTP, { agent: 'trips' });
    const { client } = connected;
    const first = await ask(connected, 'book_flight', TRIP);
    const contextId = String(first.meta?.['contextId']);
    const second = await client.callTool({ name: 'book_flight', arguments: TRIP, _meta: { contextId } });
    expect(second._meta).toMatchObject({ contextId });
    await ask(connected, 'book_flight', { ...TRIP, contextId });
    const said = at.model.requests.map(
      ({ messages }) => messages.filter(({ role }) => role === 'user').length,
    );
    expect(said).toEqual([1, 2, 3]);
    const unknown = await ask(connected, 'book_flight', { ...TRIP, contextId: 'nowhere' });
    expect(unknown.text).toContain('CHAT_NOT_FOUND');
  });

  it('shared fills required arguments of the agent from the parameters', async () => {
    const config = withOption('context = "shared"').replace(
      'tools = ["sources"]',
      'arguments = [{ name = "destination", required = true }]',
    );
    await using at = await stage([say('one')], config);
    const { body } = await at.hub.request('POST', '/tools/trips.book_flight', TRIP);
    expect(body.result).toEqual([{ type: 'text', text: 'one' }]);
  });

  it('cache holds no answers that do not fit the output schema', async () => {
    const config = `${withOption('cache = 60')}
[agents.trips.published_tools.output]
type = "object"
required = ["seat"]
[agents.trips.published_tools.output.properties.seat]
type = "string"
`;
    await using at = await stage([say('No idea.'), say('{"seat":"3A"}')], config);
    await using connected = await connect(at.hub, OVER_HTTP, { agent: 'trips' });
    const book = () => connected.client.callTool({ name: 'book_flight', arguments: TRIP });
    expect((await book()).isError).toBe(true);
    for (const again of [await book(), await book()]) expect(again.structuredContent).toEqual({ seat: '3A' });
    expect(at.model.requests).toHaveLength(2);
  });

  it('isolated calls share nothing', async () => {
    await using at = await stage([say('one'), say('two')]);
    await using connected = await connect(at.hub, OVER_HTTP, { agent: 'trips' });
    const [a, b] = [await ask(connected, 'book_flight', TRIP), await ask(connected, 'book_flight', TRIP)];
    expect(a.meta?.['contextId']).not.toBe(b.meta?.['contextId']);
    expect(at.model.requests.map(({ messages }) => messages.length)).toEqual([1, 1]);
  });

  it('requires keeps a tool from being offered, and says why', async () => {
    await using at = await stage([], withOption('requires = ["sources", "docs", "github.create_issue"]'));
    const names = (await at.hub.request('GET', '/tools/list?agent=trips')).body.tools;
    expect(names).toEqual([]);
    const { diagnostics } = (await at.hub.request('GET', '/api/diagnostics')).body;
    expect(diagnostics).toContainEqual(
      expect.objectContaining({
        code: 'missing-requirement',
        message: "'trips.book_flight' is not offered: it requires 'docs', 'github.create_issue'",
      }),
    );
  });
});
