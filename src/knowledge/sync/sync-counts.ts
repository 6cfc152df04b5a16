import type { SyncCounts } from '../../contract/knowledge.ts';

export const noCounts = (): SyncCounts => ({
  scanned: 0,
  added: 0,
  changed: 0,
  moved: 0,
  deleted: 0,
  unchanged: 0,
  skipped: 0,
  failed: 0,
  bytes: 0,
  chunks: 0,
  embedded: 0,
});

export function addCounts(sums: SyncCounts, counts: SyncCounts): void {
  for (const key of Object.keys(sums)) if (isCount(sums, key)) sums[key] += counts[key];
}

const isCount = (counts: SyncCounts, key: string): key is keyof SyncCounts => key in counts;
