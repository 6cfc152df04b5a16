import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readOperatorToken } from '../../src/platform/home/access.ts';
import { campaignSize } from '../campaign.ts';
import { startFakeModel } from '../fake-model/fake-model.ts';
import { say, type Step } from '../fake-model/script.ts';
import { connect } from '../mcp/mcp-clients.ts';
import { canReadFigures, figuresOf } from '../process-figures.ts';
import { tempHome } from '../zoo-command.ts';
import { stage, TRIP, TRIPS_TOML } from './stage.ts';

const CALL_SECONDS = campaignSize(3, 300);
const INLINE_SECONDS = campaignSize(1, 45);
const CLIENT_SECONDS = 60;

it(
  `a call of ${CALL_SECONDS} s from a client with a limit of ${CLIENT_SECONDS} s is not lost`,
  { timeout: (CALL_SECONDS + 120) * 1_000 },
  async () => {
    const late: Step = async () => {
      await sleep(CALL_SECONDS * 1_000);
      return say('Booked at last.');
    };
    await using at = await stage([late], `[runner]\ninline_limit = ${INLINE_SECONDS}\n${TRIPS_TOML}`);
    await using connected = await connect(at.hub, { transport: 'http', era: 'modern' }, { agent: 'trips' });
    const call = (name: string, args: Record<string, unknown>) =>
      connected.client.callTool({ name, arguments: args }, { timeout: CLIENT_SECONDS * 1_000 });
    const jobId = (await call('book_flight', TRIP))._meta?.['jobId'];
    expect(jobId).toEqual(expect.any(String));
    const isDone = async () => /is done/.test(JSON.stringify(await call('zoo_job_status', { jobId })));
    await expect.poll(isDone, { timeout: (CALL_SECONDS + 60) * 1_000, interval: 10 }).toBe(true);
    const { content } = await call('zoo_job_result', { jobId });
    expect(content).toEqual([{ type: 'text', text: 'Booked at last.' }]);
    expect(at.model.requests).toHaveLength(1);
  },
);

const RUNS = campaignSize(80, 5_000);
const AT_ONCE = 20;

it.runIf(canReadFigures)(
  `a hub takes no more memory after ${RUNS} runs than after a quarter of them`,
  { timeout: 900_000 },
  async () => {
    await using model = await startFakeModel([{ ...say('Booked.'), again: true }], {
      maxRequests: 2 * RUNS,
    });
    await using home = await tempHome();
    Object.assign(home.env, { ANTHROPIC_API_KEY: 'sk-secret-key-of-tests', ANTHROPIC_BASE_URL: model.url });
    const config = String(home.env['ZOO_CONFIG_DIR']);
    mkdirSync(config, { recursive: true });
    writeFileSync(
      join(config, 'zoo.toml'),
      `${TRIPS_TOML}\n[budget]\nagent_day = { usd = 1000000, tokens = 1000000000 }\nhub_day = { usd = 1000000, tokens = 1000000000 }\n`,
    );
    const hub = await home.serve();
    const token = readOperatorToken(String(home.env['ZOO_HOME'])) ?? '';
    const book = async (): Promise<number> => {
      const response = await fetch(`${hub.url}/tools/trips.book_flight`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(TRIP),
      });
      await response.text();
      return response.status;
    };
    const megabytes: number[] = [];
    const statuses = new Set<number>();
    for (let quarter = 0; quarter < 4; quarter++) {
      for (let done = 0; done < RUNS / 4; done += AT_ONCE) {
        const answers = await Promise.all(Array.from({ length: AT_ONCE }, book));
        for (const status of answers) statuses.add(status);
      }
      megabytes.push(figuresOf(Number(hub.child.pid)).megabytes);
    }
    console.log(`MB after each quarter of ${RUNS} runs: ${megabytes.join(', ')}`);
    expect([...statuses]).toEqual([200]);
    expect(megabytes.at(-1)).toBeLessThan((megabytes[0] ?? 0) * 1.25 + campaignSize(80, 40));
  },
);
