import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { readOperatorToken } from '../../src/platform/home/access.ts';
import { campaignSize } from '../campaign.ts';
import { startFakeModel } from '../fake-model/fake-model.ts';
import { call, say, type Step, userText } from '../fake-model/script.ts';
import { tempHome } from '../zoo-command.ts';
import { TRIPS_TOML } from './stage.ts';

const Runs = z.looseObject({ runs: z.array(z.looseObject({ state: z.string() })) });
const Entries = z.looseObject({ entries: z.array(z.looseObject({ content: z.string() })) });

const JOBS = campaignSize(12, 100);
const KILLS = campaignSize(2, 10);

const CONFIG = `[runner]
inline_limit = 0.1
${TRIPS_TOML.replace('tools = ["sources"]', 'tools = ["agent_zoo_create_brain_entry"]\ntool_permission = "never"')}`;

/** Writes down what it was asked for, then says so: a side effect in the middle of each job. */
const book: Step = async (request) => {
  await sleep(50 + Math.random() * 200);
  const isDone = request.messages.some(({ role }) => role === 'tool');
  const entry = { agentId: 'trips', type: 'note', content: userText(request) };
  return { ...(isDone ? say('Booked.') : call('agent_zoo_create_brain_entry', entry)), again: true };
};

it('jobs of a hub that is killed are finished or marked, and nothing is done twice', async () => {
  await using model = await startFakeModel([book], { maxRequests: 100_000 });
  await using home = await tempHome();
  Object.assign(home.env, { ANTHROPIC_API_KEY: 'sk-secret-key-of-tests', ANTHROPIC_BASE_URL: model.url });
  const config = String(home.env['ZOO_CONFIG_DIR']);
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'zoo.toml'), CONFIG);
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
  for (let kill = 0; kill < KILLS; kill++) {
    const started = Array.from({ length: JOBS / KILLS }, (_, index) =>
      request('/tools/trips.book_flight', {
        destination: `city ${kill} ${index}`,
        departure_date: '2026-12-01',
      }).catch(() => null),
    );
    await sleep(Math.random() * 1_500);
    const ended = once(hub.child, 'exit');
    hub.child.kill('SIGKILL');
    await ended;
    await Promise.all(started);
    hub = await home.serve();
  }
  const runs = async () => Runs.parse(await request('/api/runs?limit=1000')).runs;
  const isOver = ({ state }: { state: string }) => !['queued', 'running', 'waiting'].includes(state);
  await expect.poll(async () => (await runs()).every(isOver), { timeout: 60_000 }).toBe(true);
  const states = new Set((await runs()).map(({ state }) => state));
  for (const state of states) expect(['completed', 'interrupted']).toContain(state);
  const { entries } = Entries.parse(await request('/api/agents/trips/brain'));
  const contents = entries.map(({ content }) => content);
  expect(contents).toHaveLength(new Set(contents).size);
}, 180_000);
