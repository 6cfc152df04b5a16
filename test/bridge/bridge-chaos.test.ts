import { expect, test } from 'vitest';
import { auditWrites, runChaos } from './bridge-chaos.ts';
import { bridgeHome, until } from './bridge-home.ts';

const calls = 20_000;

test('twenty bridges whose hub is killed five times answer every call, or say what became of it', async () => {
  await using home = await bridgeHome({}, { ZOO_IDLE_MS: '1000' });
  const report = await runChaos(home, { bridges: 20, calls, kills: 5 });
  expect(report.wrong).toEqual([]);
  expect(report.answered + report.refused + report.doubtful).toBe(calls);
  expect(report.answered).toBeGreaterThan(calls * 0.9);
  expect(home.hubs()).toHaveLength(6);

  expect(await auditWrites(home, report)).toEqual([]);
  await until(() => home.processes().length === 0);
}, 240_000);
