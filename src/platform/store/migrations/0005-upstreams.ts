import type { Migration } from '../database.ts';

export const upstreams: Migration = {
  id: 5,
  name: 'upstreams',
  statements: [
    // The lists of an upstream server as of the last connection, by the hash of its launch settings.
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
