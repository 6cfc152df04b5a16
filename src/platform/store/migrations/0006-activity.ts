import type { Migration } from '../database.ts';

export const activity: Migration = {
  id: 6,
  name: 'activity',
  statements: [
    // What was called, newest last. Secrets are masked before they get here.
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
    // Tokens of texts that are asked for again and again, so that no list has to load the tokenizer.
    `CREATE TABLE token_counts (key TEXT PRIMARY KEY, tokens INTEGER NOT NULL, at TEXT NOT NULL)`,
  ],
};
