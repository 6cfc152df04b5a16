import { expect, it } from 'vitest';
import { homeFiles } from '../../src/platform/home/paths.ts';
import { openSqlite } from '../../src/platform/store/databases/sqlite.ts';
import { call, say } from '../fake-model/script.ts';
import { tempFolder } from '../temp-folder.ts';
import { stage, TRIP, TRIPS_TOML } from './stage.ts';

const SHARED = `${TRIPS_TOML}
[[agents.trips.published_tools]]
name = "ask"
description = "Answers questions."
prompt = "{question}"
context = "shared"
parameters = { type = "object", properties = { question = { type = "string" } }, required = ["question"] }
`;

const TABLES = ['runs', 'run_steps', 'run_calls', 'run_events', 'published_calls', 'chats', 'leases'];

/** How many rows each table has. */
async function rowsOf(home: string): Promise<Record<string, number>> {
  const db = await openSqlite(homeFiles(home).database, { threads: false });
  const counts = await Promise.all(
    TABLES.map(async (table) => {
      const where = table === 'leases' ? "WHERE kind = 'run'" : '';
      const row = await db.one(`SELECT COUNT(*) AS count FROM ${table} ${where}`);
      return [table, Number(row?.count)] as const;
    }),
  );
  await db.close();
  return Object.fromEntries(counts);
}

const NOTHING = Object.fromEntries(TABLES.map((table) => [table, 0]));

async function homeWithCalls() {
  const home = await tempFolder();
  const folder = await tempFolder();
  const same = { home: home.path, folder: folder.path };
  await using at = await stage([call('sources'), say('Booked.'), say('Oslo.'), say('Rome.')], SHARED, same);
  const post = (path: string, body: unknown) => at.hub.request('POST', path, body);
  const results = [
    await post('/tools/trips.book_flight', TRIP),
    await post('/tools/trips.ask', { question: 'Where?' }),
    await post('/tools/trips.book_flight', TRIP),
  ];
  expect(results.map(({ status }) => status)).toEqual([200, 200, 200]);
  return {
    same,
    async [Symbol.asyncDispose]() {
      await home[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

it('published calls are removed with everything that was kept of them, by age', async () => {
  await using before = await homeWithCalls();
  expect(await rowsOf(before.same.home)).toMatchObject({
    runs: 3,
    published_calls: 3,
    chats: 1,
    run_calls: 1,
  });
  await using at = await stage([], `[runner]\nkeep_days = 0\n${SHARED}`, before.same);
  await expect.poll(() => rowsOf(before.same.home)).toEqual(NOTHING);
  expect((await at.hub.request('GET', '/api/runs')).body.total).toBe(0);
});

it('the oldest published calls are removed by size, and conversations are kept', async () => {
  await using before = await homeWithCalls();
  await using at = await stage([], `[runner]\nkeep_mb = 0\n${SHARED}`, before.same);
  await expect
    .poll(() => rowsOf(before.same.home))
    .toMatchObject({ runs: 1, published_calls: 1, chats: 1, run_calls: 0 });
  const { runs } = (await at.hub.request('GET', '/api/runs')).body;
  expect(runs).toMatchObject([{ prompt: 'Where?' }]);
});
