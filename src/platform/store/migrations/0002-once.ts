import type { Migration } from '../database.ts';

export const once: Migration = {
  id: 2,
  name: 'once',
  statements: [
    // What a write under an idempotency key has answered, so that the same write again answers it and does nothing.
    `CREATE TABLE done_writes (key TEXT PRIMARY KEY, value TEXT NOT NULL, at TEXT NOT NULL)`,
  ],
};
