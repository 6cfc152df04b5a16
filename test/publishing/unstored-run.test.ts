import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startFakeModel } from '../fake-model/fake-model.ts';
import { call, say } from '../fake-model/script.ts';
import { testTool } from '../runs/run-stage.ts';
import { startHub } from '../start-hub.ts';
import { tempFolder } from '../temp-folder.ts';
import { type Stage, stage, TRIP, TRIPS_TOML } from './stage.ts';
import { storeOf } from './store-of-hub.ts';

const SENDING = TRIPS_TOML.replace('tools = ["sources"]', 'tools = ["send"]\ntool_permission = "never"');

const book = ({ hub }: Pick<Stage, 'hub'>) => hub.request('POST', '/tools/trips.book_flight', TRIP);

it('the model is asked while its run is being stored, but no tool is called and nobody is told before', async () => {
  let sent = 0;
  const send = testTool('send', async () => `sent ${++sent}`);
  await using at = await stage([call('send'), say('Booked.')], SENDING, { extensions: [{ tools: [send] }] });
  using store = storeOf(at);
  await store.run('BEGIN IMMEDIATE');
  const booked = book(at);
  await expect.poll(() => at.model.requests.length).toBe(1);
  await sleep(200);
  expect({ sent, runs: (await at.hub.request('GET', '/api/runs')).body.runs }).toEqual({ sent: 0, runs: [] });
  expect(store.all('SELECT * FROM run_events', [])).toEqual([]);
  await store.run('COMMIT');
  expect((await booked).body.result[0].text).toBe('Booked.');
  expect(sent).toBe(1);
  const { runs } = (await at.hub.request('GET', '/api/runs')).body;
  const events = store.all('SELECT event FROM run_events WHERE run_id = ? ORDER BY seq', [runs[0].id]);
  const types = events.map(({ event }) => JSON.parse(String(event)).type);
  expect(types).toEqual([
    'run-started',
    'step-started',
    'usage',
    'tool-call',
    'tool-result',
    'step-started',
    'text',
    'usage',
    'done',
  ]);
});

it('a run that cannot be stored fails its call and leaves nothing', async () => {
  await using model = await startFakeModel([say('Booked.'), say('Booked.')]);
  const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: model.url };
  const hub = await startHub({}, { own: { 'zoo.toml': TRIPS_TOML }, env });
  try {
    using store = storeOf({ hub });
    await store.run("CREATE TRIGGER full BEFORE INSERT ON runs BEGIN SELECT RAISE(ABORT, 'disk full'); END");
    expect((await book({ hub })).status).toBe(500);
    for (const table of ['runs', 'run_events', 'leases', 'published_calls'])
      expect(store.all(`SELECT * FROM ${table}`, [])).toEqual([]);
    await store.run('DROP TRIGGER full');
    expect((await book({ hub })).body.result[0].text).toBe('Booked.');
  } finally {
    await expect(hub[Symbol.asyncDispose]()).rejects.toThrow('the hub logged 1 errors');
  }
});

it('no model is asked for a turn of a chat that may be refused', async () => {
  await using at = await stage(
    [say('Hello.'), say('Hello.')],
    '[agents.ada]\nsystem_prompt = "You are Ada."',
  );
  using store = storeOf(at);
  const { id } = (await at.hub.request('POST', '/api/chats', { agent: 'ada' })).body;
  await store.run('BEGIN IMMEDIATE');
  const answered = at.hub.request('POST', `/api/chats/${id}/messages`, { message: 'Hi' });
  await sleep(200);
  expect(at.model.requests).toEqual([]);
  await store.run('COMMIT');
  expect((await answered).status).toBe(202);
  await expect.poll(() => at.model.requests.length).toBe(1);
  const last = async () => (await at.hub.request('GET', `/api/chats/${id}`)).body.history.at(-1);
  await expect.poll(last).toMatchObject({ state: 'completed' });
  await store.run('BEGIN IMMEDIATE');
  const erased = at.hub.request('POST', `/api/chats/${id}/messages`, { message: 'Hi again' });
  await sleep(200);
  await store.run(`DELETE FROM chats WHERE id = '${id}'`);
  await store.run('COMMIT');
  expect((await erased).status).toBe(404);
  expect(at.model.requests.length).toBe(1);
});

it('a run that is stored while the hub closes belongs to the next hub', async () => {
  await using home = await tempFolder();
  await using folder = await tempFolder();
  const same = { home: home.path, folder: folder.path };
  const problems: unknown[] = [];
  const log = { error: (...problem: unknown[]) => void problems.push(problem) };
  const first = await stage([say('Booked.')], TRIPS_TOML, { ...same, log });
  const { hub } = first.hub;
  const context = hub.localContext(await hub.workspaceFor(undefined));
  using store = storeOf(first);
  await store.run('BEGIN IMMEDIATE');
  const started = hub.operations.startRun({ body: { agent: 'trips', prompt: 'Book.' } }, context);
  await expect.poll(() => first.model.requests.length).toBe(1);
  await sleep(200);
  const closed = hub.close();
  await sleep(200);
  await store.run('COMMIT');
  await Promise.all([started, closed]);
  await first[Symbol.asyncDispose]();
  expect(problems).toEqual([]);
  expect(store.all('SELECT owner FROM leases', [])).toEqual([{ owner: null }]);

  await using at = await stage([say('Booked.')], TRIPS_TOML, same);
  const runs = async () => (await at.hub.request('GET', '/api/runs')).body.runs;
  await expect.poll(runs).toMatchObject([{ state: 'completed', steps: 1 }]);
});
