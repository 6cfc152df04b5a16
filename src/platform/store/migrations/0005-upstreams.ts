import type { Migration } from '../database.ts';

export const upstreams: Migration = {
  id: 5,
  name: 'upstreams',
  statements: [
    // What an upstream server offered when it was last talked to, by the hash of how it is started or reached.
    `CREATE TABLE upstream_lists (
      hash TEXT PRIMARY KEY,
      lists TEXT NOT NULL,
      era TEXT NOT NULL,
      asks INTEGER NOT NULL,
      title TEXT,
      at TEXT NOT NULL
    )`,
  ],
};
