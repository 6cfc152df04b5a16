import type { Migration } from '../database.ts';

export const once: Migration = {
  id: 2,
  name: 'once',
  statements: [
    // Results of writes by idempotency key: a repeated write returns the stored result and changes nothing.
    `CREATE TABLE done_writes (key TEXT PRIMARY KEY, value TEXT NOT NULL, at TEXT NOT NULL)`,
  ],
};
