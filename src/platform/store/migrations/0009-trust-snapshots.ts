import type { Migration } from '../database.ts';

export const trustSnapshots: Migration = {
  id: 9,
  name: 'trust-snapshots',
  statements: [
    // What was approved, to show what has changed since.
    `CREATE TABLE trust_snapshots (path TEXT PRIMARY KEY, snapshot TEXT NOT NULL)`,
  ],
};
