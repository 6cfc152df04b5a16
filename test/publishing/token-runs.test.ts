import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createAccessTokens } from '../../src/platform/home/access-tokens.ts';
import { homeFiles } from '../../src/platform/home/paths.ts';
import { openSqlite } from '../../src/platform/store/databases/sqlite.ts';
import { call, hang, say } from '../fake-model/script.ts';
import { testTool } from '../runs/run-stage.ts';
import { tempFolder } from '../temp-folder.ts';
import { type Stage, stage, TRIP, TRIPS_TOML } from './stage.ts';
import { storeOf } from './store-of-hub.ts';

const CONFIG = `[runner]\ninline_limit = 0.1\nruns_per_token = 2\n${TRIPS_TOML}`;
const WHY = { code: 'unauthorized', message: 'The token that started this run was revoked.' };

async function tokenFor({ hub }: Stage) {
  const { id, token } = (await hub.request('POST', '/api/tokens', { agentId: 'trips' })).body;
  const headers = { authorization: `Bearer ${token}` };
  const book = () => hub.request('POST', '/tools/book_flight', TRIP, headers);
  return { id, book };
}

const runsOf = async ({ hub }: Stage) => (await hub.request('GET', '/api/runs')).body.runs;
const firstRun = async (at: Stage) => (await runsOf(at))[0];

it('a token that is revoked takes its runs with it', async () => {
  await using at = await stage([hang()], CONFIG);
  const token = await tokenFor(at);
  await token.book();
  await expect.poll(() => at.model.requests.length).toBe(1);
  expect((await at.hub.request('DELETE', `/api/tokens/${token.id}`)).status).toBe(204);
  await expect
    .poll(() => firstRun(at))
    .toMatchObject({ state: 'cancelled', endReason: 'token_revoked', error: WHY });
});

it('a token that is revoked before its run is stored starts none', async () => {
  await using at = await stage([say('Booked.'), say('Booked.')], CONFIG);
  const token = await tokenFor(at);
  // Its use is recorded, so that the next call writes nothing before its run.
  await token.book();
  await expect.poll(() => firstRun(at)).toMatchObject({ state: 'completed' });
  using store = storeOf(at);
  await store.run('BEGIN IMMEDIATE');
  const booked = token.book();
  await sleep(200);
  await store.run(`DELETE FROM access_tokens WHERE id = '${token.id}'`);
  await store.run('COMMIT');
  expect(await booked).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } });
  expect([at.model.requests.length, (await runsOf(at)).length]).toEqual([1, 1]);
});

it('a run whose token was revoked while the hub was down is cancelled, not resumed', async () => {
  await using home = await tempFolder();
  await using folder = await tempFolder();
  const same = { home: home.path, folder: folder.path };
  const first = await stage([hang()], CONFIG, same);
  const token = await tokenFor(first);
  await token.book();
  await expect.poll(() => first.model.requests.length).toBe(1);
  await first[Symbol.asyncDispose]();
  const db = await openSqlite(homeFiles(home.path).database, { threads: false });
  await createAccessTokens(db, () => new Date()).revoke(token.id);
  await db.close();

  await using at = await stage([say('Booked.')], CONFIG, same);
  await expect
    .poll(() => firstRun(at))
    .toMatchObject({ state: 'cancelled', endReason: 'token_revoked', error: WHY });
  expect(at.model.requests).toEqual([]);
});

it('a token has a limited number of runs at once', async () => {
  await using at = await stage([hang(), hang(), hang(), hang()], CONFIG);
  const token = await tokenFor(at);
  for (const count of [1, 2]) {
    const { status, body } = await token.book();
    expect({ count, status, text: body.result[0].text }).toMatchObject({
      status: 200,
      text: expect.stringContaining('zoo_job_status'),
    });
  }
  const refused = await token.book();
  expect({ status: refused.status, error: refused.body.error }).toMatchObject({
    status: 429,
    error: { code: 'rate_limited', message: expect.stringMatching(/has 2 under way.*runs_per_token/) },
  });
  expect((await at.hub.request('POST', '/tools/trips.book_flight', TRIP)).status).toBe(200);
  await at.hub.request('POST', `/api/runs/${(await runsOf(at)).at(-1).id}/cancel`);
  expect((await token.book()).status).toBe(200);
});

it('an interrupted run whose token was revoked cannot be resumed', async () => {
  await using home = await tempFolder();
  await using folder = await tempFolder();
  const config = CONFIG.replace('tools = ["sources"]', 'tools = ["send"]\ntool_permission = "never"');
  let sent = 0;
  const send = testTool('send', (_args, { context: { signal } }) => {
    sent++;
    return new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(new Error('gone'))),
    );
  });
  const same = { home: home.path, folder: folder.path, extensions: [{ tools: [send] }] };
  const first = await stage([call('send')], config, same);
  const token = await tokenFor(first);
  await token.book();
  await expect.poll(() => sent).toBe(1);
  await first[Symbol.asyncDispose]();

  await using at = await stage([say('Booked.')], config, same);
  await expect.poll(() => firstRun(at)).toMatchObject({ state: 'interrupted' });
  const { id } = await firstRun(at);
  await at.hub.request('DELETE', `/api/tokens/${token.id}`);
  expect(await at.hub.request('POST', `/api/runs/${id}/resume`)).toMatchObject({
    status: 409,
    body: { error: { code: 'conflict', message: expect.stringContaining(WHY.message) } },
  });
  expect(await firstRun(at)).toMatchObject({ state: 'interrupted' });
  expect({ sent, asked: at.model.requests }).toEqual({ sent: 1, asked: [] });
});
