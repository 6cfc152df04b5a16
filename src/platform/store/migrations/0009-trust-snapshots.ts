import type { Migration } from '../database.ts';

export const trustSnapshots: Migration = {
  id: 9,
  name: 'trust-snapshots',
  statements: [
    // The approved content, to show later changes.
    `CREATE TABLE trust_snapshots (path TEXT PRIMARY KEY, snapshot TEXT NOT NULL)`,
  ],
};
