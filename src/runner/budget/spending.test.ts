import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import type { Database } from '../../platform/store/database.ts';
import { openSqlite } from '../../platform/store/databases/index.ts';
import { createSpending } from './spending.ts';

const limits = { agentDay: { usd: 1 }, hubDay: { tokens: 1_000 } };

async function stage() {
  const folder = await tempFolder();
  const db = await openSqlite(join(folder.path, 'zoo.db'), { threads: false });
  let at = new Date(2026, 10, 15, 23, 59);
  const errors: string[] = [];
  const spending = createSpending(
    db,
    () => at,
    (message) => errors.push(message),
  );
  return {
    db,
    spending,
    errors,
    tomorrow: () => (at = new Date(2026, 10, 16, 0, 1)),
    async [Symbol.asyncDispose]() {
      await db.close().catch(() => undefined);
      await folder[Symbol.asyncDispose]();
    },
  };
}

it('refuses requests beyond the daily budget of an agent, and resets at midnight', async () => {
  await using at = await stage();
  (await at.spending.reserve('ada', { tokens: 10, usd: 0.9 }, limits)).settle({ tokens: 10, usd: 0.8 });
  await expect(at.spending.reserve('ada', { tokens: 10, usd: 0.3 }, limits)).rejects.toThrow(
    /today's budget of agent 'ada' \(\$1\.00; \$0\.8000 spent/,
  );
  await at.spending.reserve('bob', { tokens: 10, usd: 0.3 }, limits);
  at.tomorrow();
  await at.spending.reserve('ada', { tokens: 10, usd: 0.3 }, limits);
});

it('counts all agents and reservations against the daily budget of the hub', async () => {
  await using at = await stage();
  await at.spending.reserve('ada', { tokens: 600, usd: 0 }, limits);
  await expect(at.spending.reserve('bob', { tokens: 500, usd: 0 }, limits)).rejects.toThrow(
    /budget of this hub/,
  );
});

it('counts the reservations of requests that are made at the same moment', async () => {
  await using at = await stage();
  const asked = Array.from({ length: 5 }, () =>
    at.spending.reserve('ada', { tokens: 400, usd: 0 }, limits).then(
      () => 'reserved',
      (error: unknown) => String(error).slice(0, 30),
    ),
  );
  const answers = await Promise.all(asked);
  expect(answers.filter((answer) => answer === 'reserved')).toHaveLength(2);
});

it('stores spending, so that it survives a restart', async () => {
  await using at = await stage();
  (await at.spending.reserve('ada', { tokens: 600, usd: 0 }, limits)).settle({ tokens: 900, usd: 0.1 });
  await at.spending.today();
  const again = createSpending(
    at.db,
    () => new Date(2026, 10, 15, 12),
    () => undefined,
  );
  expect(await again.today()).toEqual({
    day: '2026-11-15',
    agents: [{ agentId: 'ada', tokens: 900, usd: 0.1 }],
  });
});

it('counts spending once while its write is being confirmed', async () => {
  await using at = await stage();
  const signals = new EventEmitter();
  const stored = once(signals, 'stored');
  const confirmed = once(signals, 'confirmed');
  const slow: Database = {
    ...at.db,
    async write(statements) {
      const value = await at.db.write(statements);
      signals.emit('stored');
      await confirmed;
      return value;
    },
  };
  const spending = createSpending(
    slow,
    () => new Date(2026, 10, 15, 12),
    (message) => expect.unreachable(message),
  );
  (await spending.reserve('ada', { tokens: 400, usd: 0 }, limits)).settle({ tokens: 400, usd: 0 });
  await stored;
  const next = spending.reserve('ada', { tokens: 300, usd: 0 }, limits);
  signals.emit('confirmed');
  await next;
});

it('is written after all when the store recovers, to the day on which it was spent', async () => {
  await using at = await stage();
  let isFull = true;
  const store: Database = {
    ...at.db,
    write: (statements) => (isFull ? Promise.reject(new Error('disk full')) : at.db.write(statements)),
  };
  let now = new Date(2026, 10, 15, 23, 59);
  const problems: string[] = [];
  const spending = createSpending(
    store,
    () => now,
    (message) => problems.push(message),
  );
  (await spending.reserve('ada', { tokens: 600, usd: 0 }, limits)).settle({ tokens: 600, usd: 0 });
  await spending.today();
  expect(problems).toHaveLength(1);
  await expect(spending.reserve('ada', { tokens: 600, usd: 0 }, limits)).rejects.toThrow(/budget/);
  now = new Date(2026, 10, 16, 0, 1);
  await spending.reserve('ada', { tokens: 600, usd: 0 }, limits);
  isFull = false;
  await spending.today();
  expect(await at.db.all('SELECT day, tokens FROM spending')).toEqual([{ day: '2026-11-15', tokens: 600 }]);
});
