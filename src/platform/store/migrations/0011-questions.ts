import type { Migration } from '../database.ts';

export const questions: Migration = {
  id: 11,
  name: 'questions',
  statements: [
    // Questions to a person, and how they were settled.
    `CREATE TABLE questions (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL,
      asker_kind TEXT NOT NULL,
      asker_id TEXT NOT NULL,
      workspace TEXT,
      agent_id TEXT,
      title TEXT NOT NULL,
      details TEXT NOT NULL,
      schema TEXT,
      asked_at TEXT NOT NULL,
      expires_at TEXT,
      status TEXT NOT NULL,
      answer TEXT,
      settled_at TEXT,
      settled_by TEXT
    )`,
    `CREATE INDEX questions_by_status ON questions (status, asked_at)`,
    `CREATE INDEX questions_by_asker ON questions (asker_kind, asker_id)`,
  ],
};
