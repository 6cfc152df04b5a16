import type { SyncCounts } from '../../contract/knowledge.ts';

/** What a sync has counted before it begins. */
export const noCounts: Readonly<SyncCounts> = {
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
};
