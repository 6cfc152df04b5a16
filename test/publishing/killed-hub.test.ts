import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { readOperatorToken } from '../../src/platform/home/access.ts';
import { campaignSize } from '../campaign.ts';
import { startFakeModel } from '../fake-model/fake-model.ts';
import { call, say, type Step, userText } from '../fake-model/script.ts';
import { tempHome } from '../zoo-command.ts';
import { TRIPS_TOML } from './stage.ts';

const Runs = z.looseObject({
  runs: z.array(z.looseObject({ id: z.string(), state: z.string(), prompt: z.string(), error: z.unknown() })),
});
const Booking = z.looseObject({ city: z.string() });

const JOBS = campaignSize(12, 100);
const KILLS = campaignSize(2, 10);

/** The world outside: it counts what was done to it, and survives the hub. */
async function startAirline() {
  const booked: string[] = [];
  const book = async (args: unknown): Promise<void> => {
    booked.push(Booking.parse(args).city);
    await sleep(Math.random() * 100);
  };
  const mcp = createMcpHandler(() => {
    const server = new Server({ name: 'airline', version: '1.0.0' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({
      tools: [{ name: 'book', inputSchema: { type: 'object', properties: { city: { type: 'string' } } } }],
    }));
    server.setRequestHandler('tools/call', async ({ params }) => {
      await book(params.arguments);
      return { content: [{ type: 'text', text: 'Booked.' }] };
    });
    return server;
  });
  const listener = getRequestListener(async (request) => {
    if (new URL(request.url).pathname === '/mcp') return mcp.fetch(request);
    await book(await request.json());
    return Response.json({ ok: true });
  });
  const server = createServer((request, response) => void listener(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    booked,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const configFor = (airline: string) => `[runner]
inline_limit = 0.1
[tools.mcp.airline]
url = "${airline}/mcp"
[tools.script.book]
path = "book.lua"
airline = "${airline}"
${TRIPS_TOML.replace('tools = ["sources"]', 'tools = ["airline.book", "book"]\ntool_permission = "never"')}`;

const SCRIPT = `
tool = { description = "Books by script.", parameters = { city = { type = "string", required = true } } }
function tool.execute(params, context)
  http.post(context.config.airline .. "/book", { json = { city = params.city } })
  return "Booked."
end
`;

/** Books with one tool and then with the other: two side effects that nothing protects in the middle of each job. */
const book: Step = async (request) => {
  await sleep(50 + Math.random() * 200);
  const done = request.messages.filter(({ role }) => role === 'tool').length;
  const city = /city \d+/.exec(userText(request))?.[0] ?? '';
  if (done === 0) return { ...call('airline__book', { city: `${city} upstream` }), again: true };
  if (done === 1) return { ...call('book', { city: `${city} script` }), again: true };
  return { ...say('Booked.'), again: true };
};

it('jobs of a hub that is killed are finished or marked, and nothing is done twice', async () => {
  await using model = await startFakeModel([book], { maxRequests: 100_000 });
  await using airline = await startAirline();
  await using home = await tempHome();
  Object.assign(home.env, { ANTHROPIC_API_KEY: 'sk-secret-key-of-tests', ANTHROPIC_BASE_URL: model.url });
  const config = String(home.env['ZOO_CONFIG_DIR']);
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'zoo.toml'), configFor(airline.url));
  writeFileSync(join(config, 'book.lua'), SCRIPT);
  let hub = await home.serve();
  const request = async (path: string, body?: unknown) => {
    const token = readOperatorToken(String(home.env['ZOO_HOME'])) ?? '';
    const response = await fetch(hub.url + path, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    return answer;
  };
  const runs = async () => Runs.parse(await request('/api/runs?limit=1000')).runs;
  // The upstream is connected, and a job works, before anything is killed.
  await request('/tools/trips.book_flight', { destination: 'city 9999', departure_date: '2026-12-01' });
  await expect.poll(async () => (await runs())[0]?.state, { timeout: 60_000 }).toBe('completed');

  const started = await Promise.all(
    Array.from({ length: JOBS }, (_, index) =>
      request('/tools/trips.book_flight', {
        destination: `city ${index}`,
        departure_date: '2026-12-01',
      }),
    ),
  );
  expect(started).toHaveLength(JOBS);
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(Math.random() * 700);
    const ended = once(hub.child, 'exit');
    hub.child.kill('SIGKILL');
    await ended;
    hub = await home.serve();
  }
  const isOver = ({ state }: { state: string }) => !['queued', 'running', 'waiting'].includes(state);
  await expect.poll(async () => (await runs()).every(isOver), { timeout: 120_000 }).toBe(true);

  const all = await runs();
  expect(all).toHaveLength(JOBS + 1);
  const counts = new Map<string, number>();
  for (const city of airline.booked) counts.set(city, (counts.get(city) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > 1)).toEqual([]);
  const bookingsOf = (prompt: string) => {
    const city = /city \d+/.exec(prompt)?.[0] ?? '';
    return ['upstream', 'script'].map((tool) => counts.get(`${city} ${tool}`) ?? 0);
  };
  const complete = all.filter(({ state }) => state === 'completed');
  expect(complete.map(({ prompt }) => bookingsOf(prompt))).toEqual(complete.map(() => [1, 1]));
  const marked = all.filter(({ state }) => state !== 'completed');
  expect(marked.filter(({ state, error }) => state !== 'interrupted' || error === null)).toEqual([]);
}, 600_000);
