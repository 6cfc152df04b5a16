import type { Migration } from '../database.ts';

export const activity: Migration = {
  id: 6,
  name: 'activity',
  statements: [
    // Tool calls, newest last. Secrets are masked before they are stored.
    `CREATE TABLE tool_calls (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      at TEXT NOT NULL,
      caller TEXT NOT NULL,
      surface TEXT NOT NULL,
      agent_id TEXT,
      workspace TEXT NOT NULL,
      tool TEXT NOT NULL,
      display_name TEXT NOT NULL,
      arguments TEXT NOT NULL,
      duration_ms REAL NOT NULL,
      outcome TEXT NOT NULL,
      code TEXT,
      message TEXT
    )`,
    // Token counts of texts that are counted repeatedly, so that lists do not have to load the tokenizer.
    `CREATE TABLE token_counts (key TEXT PRIMARY KEY, tokens INTEGER NOT NULL, at TEXT NOT NULL)`,
  ],
};
