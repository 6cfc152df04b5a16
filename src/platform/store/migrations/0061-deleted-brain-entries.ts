import type { Migration } from '../database.ts';

export const deletedBrainEntries: Migration = {
  id: 61,
  name: 'deleted-brain-entries',
  statements: [
    // A table of its own, so that no query can read a deleted memory by mistake.
    `CREATE TABLE deleted_brain_entries (
      id TEXT PRIMARY KEY,
      owner TEXT NOT NULL,
      agent_id TEXT NOT NULL,
      type TEXT NOT NULL,
      content TEXT NOT NULL,
      at TEXT NOT NULL,
      pinned INTEGER NOT NULL,
      tags TEXT NOT NULL,
      source TEXT NOT NULL,
      session_id TEXT,
      workspace_id TEXT,
      deleted_at TEXT NOT NULL
    )`,
  ],
};
