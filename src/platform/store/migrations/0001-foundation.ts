import type { Migration } from '../database.ts';

export const foundation: Migration = {
  id: 1,
  name: 'foundation',
  statements: [
    `CREATE TABLE agents (
      id TEXT PRIMARY KEY,
      revision INTEGER NOT NULL,
      definition TEXT NOT NULL,
      summary TEXT NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      deleted_at TEXT
    )`,
    `CREATE TABLE revisions (
      agent_id TEXT NOT NULL,
      revision INTEGER NOT NULL,
      action TEXT NOT NULL,
      definition TEXT NOT NULL,
      changes TEXT NOT NULL,
      at TEXT NOT NULL,
      surface TEXT NOT NULL,
      caller TEXT NOT NULL,
      PRIMARY KEY (agent_id, revision)
    )`,
    // owner is the workspace an agent's file belongs to, or '' for agents that every workspace shares:
    // two workspaces may each have an agent of one id, and neither may read the other's memory.
    `CREATE TABLE brain_entries (
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
      workspace_id TEXT
    )`,
    `CREATE INDEX brain_entries_by_agent ON brain_entries (owner, agent_id, at)`,
    `CREATE TABLE current_agents (workspace TEXT PRIMARY KEY, agent_id TEXT NOT NULL)`,
    `CREATE TABLE events (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      type TEXT NOT NULL,
      at TEXT NOT NULL,
      workspace TEXT,
      agent_id TEXT,
      data TEXT NOT NULL
    )`,
    `CREATE TABLE access_tokens (
      id TEXT PRIMARY KEY,
      hash TEXT NOT NULL UNIQUE,
      agent_id TEXT NOT NULL,
      workspace TEXT NOT NULL,
      label TEXT NOT NULL,
      created_at TEXT NOT NULL,
      last_used_at TEXT
    )`,
    `CREATE TABLE workspaces (id TEXT PRIMARY KEY, path TEXT NOT NULL UNIQUE, seen_at TEXT NOT NULL)`,
    `CREATE TABLE trust (path TEXT PRIMARY KEY, hash TEXT NOT NULL, approved_at TEXT NOT NULL)`,
    // The last valid definition of every agent in a file, served while the file is broken.
    `CREATE TABLE last_good (
      file TEXT NOT NULL,
      agent_id TEXT NOT NULL,
      definition TEXT NOT NULL,
      PRIMARY KEY (file, agent_id)
    )`,
    `CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL)`,
  ],
};
