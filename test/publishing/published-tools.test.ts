import { describe, expect, it } from 'vitest';
import { call, say, userText } from '../fake-model/script.ts';
import { connect, WAYS } from '../mcp/mcp-clients.ts';
import { BOOK_FLIGHT, FILLED, stage, TRIP, TRIPS_TOML } from './stage.ts';

const OVER_HTTP = { transport: 'http', era: 'legacy' } as const;
const JOB_TOOLS = ['zoo_job_status', 'zoo_job_result', 'zoo_job_cancel'];

describe("seed 004's book_flight", () => {
  it.each(WAYS)('is listed and called over $transport, $era', async (way) => {
    const steps: string[] = [];
    // A client drops progress that arrives together with the result, so the result waits for it.
    const book = async () => {
      await expect.poll(() => steps.at(-1)).toContain('step 2');
      return say('Booked: Paris on 1 December.');
    };
    await using at = await stage([call('sources'), book]);
    await using connected = await connect(at.hub, way, { agent: 'trips' });
    const { client } = connected;
    expect(client.getServerVersion()).toMatchObject({ name: 'Trips', version: '2.1.0' });
    expect(client.getInstructions()).toBe('Books journeys.');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['book_flight', ...JOB_TOOLS]);
    expect(tools[0]).toMatchObject({
      description: BOOK_FLIGHT.description,
      inputSchema: BOOK_FLIGHT.parameters,
    });
    const result = await client.callTool(
      { name: 'book_flight', arguments: TRIP },
      { onprogress: ({ message = '' }) => steps.push(message) },
    );
    expect(result.content).toEqual([{ type: 'text', text: 'Booked: Paris on 1 December.' }]);
    expect(result._meta).toMatchObject({
      runId: expect.any(String),
      contextId: expect.any(String),
      usage: { outputTokens: expect.any(Number) },
      cost: { usd: expect.any(Number) },
    });
    expect(steps.join('\n')).toMatch(/step 1[\s\S]*calling sources[\s\S]*step 2/);
    const asked = at.model.requests[0];
    expect(asked && userText(asked)).toBe(FILLED);
    expect(asked?.system).toContain('You book trips.');
  });

  it('says that its answer was cut off, or that there is none', async () => {
    await using at = await stage([{ ...say('Booked: Par'), truncated: true }, say('')]);
    await using connected = await connect(at.hub, OVER_HTTP, { agent: 'trips' });
    const book = async () =>
      (await connected.client.callTool({ name: 'book_flight', arguments: TRIP })).content.map((part) =>
        part.type === 'text' ? part.text : part.type,
      );
    expect(await book()).toEqual(['Booked: Par', '[This answer was cut off at max_output_tokens.]']);
    expect(await book()).toEqual(['', '[The agent ended without an answer.]']);
  });

  it('is refused with every mistake before any token is spent', async () => {
    await using at = await stage([]);
    await using connected = await connect(at.hub, OVER_HTTP, { agent: 'trips' });
    const result = await connected.client.callTool({ name: 'book_flight', arguments: { destination: 5 } });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toMatch(/departure_date is missing[^]*destination must be/);
    expect([...at.model.requests, ...at.model.asides]).toEqual([]);
  });
});

describe('an agent in tools mode', () => {
  it('offers no inner tools, prompts or resources', async () => {
    await using at = await stage([]);
    const { body: token } = await at.hub.request('POST', '/api/tokens', { agentId: 'trips' });
    await using connected = await connect(at.hub, OVER_HTTP, { agent: 'trips', token: token.token });
    const { client } = connected;
    expect(client.getServerCapabilities()).not.toHaveProperty('prompts');
    expect(client.getServerCapabilities()).not.toHaveProperty('resources');
    const inner = await client.callTool({ name: 'sources', arguments: {} });
    expect(JSON.stringify(inner)).toContain("publishes no tool 'sources'");
    const headers = { authorization: `Bearer ${token.token}` };
    expect(await at.hub.request('POST', '/agents/trips/prompt', {}, headers)).toMatchObject({ status: 403 });
    const listed = await at.hub.request('GET', '/tools/list', undefined, headers);
    expect(listed.body.tools.map(({ name }: { name: string }) => name)).toEqual([
      'book_flight',
      ...JOB_TOOLS,
    ]);
    expect(await at.hub.request('POST', '/tools/sources', {}, headers)).toMatchObject({ status: 403 });
    const asTrips = await at.hub.request('GET', '/prompts/list?agent=trips');
    expect(asTrips.body.prompts).toEqual([]);
  });

  it('is called over HTTP with its own token', async () => {
    await using at = await stage([say('Booked.')]);
    const { body: token } = await at.hub.request('POST', '/api/tokens', { agentId: 'trips' });
    const headers = { authorization: `Bearer ${token.token}` };
    const { status, body } = await at.hub.request('POST', '/tools/book_flight', TRIP, headers);
    expect({ status, body }).toEqual({ status: 200, body: { result: [{ type: 'text', text: 'Booked.' }] } });
  });

  it('never sees its own tools while it runs', async () => {
    await using at = await stage(
      [say('ok')],
      TRIPS_TOML.replace('tools = ["sources"]', 'tools = ["*"]\ntool_permission = "never"'),
    );
    await at.hub.request('POST', '/tools/book_flight?agent=trips', TRIP);
    const names = at.model.requests[0]?.tools.map(({ name }) => name) ?? [];
    expect(names).toContain('sources');
    expect(names.filter((name) => /book_flight|zoo_job/.test(name))).toEqual([]);
  });
});
