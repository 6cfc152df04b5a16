import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { campaignSize } from '../campaign.ts';
import { canReadFigures, figuresOf, type ProcessFigures } from '../process-figures.ts';
import { startSoak } from './soak-operations.ts';

const WORKSPACES = campaignSize(5, 50);
const OPERATIONS = campaignSize(200, 10_000);
/** Before the first figures: every workspace has been opened, and every kind of operation been done in it. */
const WARM_UP = WORKSPACES * 10;
const QUARTERS = 4;
const SETTLE_MS = 1000;

/** What may come and go between two looks, and what growth of memory is still noise. */
const NOISE = { threads: 3, handles: 12, databases: campaignSize(60, 200), watches: 6, children: 2 };
const memoryLimit = (megabytes: number) => megabytes * 1.25 + campaignSize(60, 30);

function grownSince(first: ProcessFigures, last: ProcessFigures): string[] {
  const names = ['threads', 'handles', 'databases', 'watches', 'children'] as const;
  const grown = names.filter((name) => last[name] > first[name] + NOISE[name]);
  return last.megabytes < memoryLimit(first.megabytes) ? grown : ['megabytes', ...grown];
}

it.skipIf(!canReadFigures)(
  `holds no more after ${OPERATIONS} operations in ${WORKSPACES} workspaces than after a quarter of them`,
  { timeout: 3_600_000 },
  async () => {
    await using soak = await startSoak(WORKSPACES);
    for (let n = 0; n < WARM_UP; n++) await soak.run(n);
    const quarters: ProcessFigures[] = [];
    for (let quarter = 0; quarter < QUARTERS; quarter++) {
      const from = WARM_UP + (quarter * OPERATIONS) / QUARTERS;
      for (let n = 0; n < OPERATIONS / QUARTERS; n++) await soak.run(from + n);
      await sleep(SETTLE_MS);
      quarters.push(figuresOf(soak.pid));
    }
    console.table(quarters);
    const [first] = quarters;
    if (!first) throw new Error('there are no figures');
    // A busy machine takes longer than a moment to close everything.
    await expect.poll(() => grownSince(first, figuresOf(soak.pid))).toEqual([]);
    expect(soak.said()).not.toContain('MaxListenersExceededWarning');
  },
);
