import { expect, test } from 'vitest';
import { campaignSize } from '../campaign.ts';
import { auditWrites, runChaos } from './bridge-chaos.ts';
import { bridgeHome, until } from './bridge-home.ts';

const bridges = campaignSize(8, 20);
const calls = campaignSize(2000, 20_000);
const kills = campaignSize(2, 5);

test(`${bridges} bridges whose hub is killed ${kills} times answer every call, or report its outcome`, async () => {
  await using home = await bridgeHome({}, { ZOO_IDLE_MS: '1000' });
  const report = await runChaos(home, { bridges, calls, kills });
  expect(report.wrong).toEqual([]);
  expect(report.answered + report.refused + report.doubtful).toBe(calls);
  expect(report.answered).toBeGreaterThan(calls * 0.9);
  expect(home.hubs()).toHaveLength(kills + 1);

  expect(await auditWrites(home, report)).toEqual([]);
  await until(() => home.processes().length === 0);
}, 600_000);
