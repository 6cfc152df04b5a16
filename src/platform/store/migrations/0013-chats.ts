import type { Migration } from '../database.ts';

export const chats: Migration = {
  id: 13,
  name: 'chats',
  statements: [
    // Deltas of one part are stored as one event, under the number of the last of them.
    `CREATE TABLE run_events (
      run_id TEXT NOT NULL,
      seq INTEGER NOT NULL,
      event TEXT NOT NULL,
      PRIMARY KEY (run_id, seq)
    )`,
    // Messages of the user for a run under way; `step` is set once the model has been given them.
    `CREATE TABLE run_messages (
      run_id TEXT NOT NULL,
      position INTEGER NOT NULL,
      parts TEXT NOT NULL,
      at TEXT NOT NULL,
      step INTEGER,
      PRIMARY KEY (run_id, position)
    )`,
    // The run whose tool call started this one.
    `ALTER TABLE runs ADD COLUMN parent TEXT`,
    `ALTER TABLE runs ADD COLUMN chat_id TEXT`,
    // Counts the runs of a chat in the order in which they were started.
    `ALTER TABLE runs ADD COLUMN turn INTEGER`,
    // The run whose answer this one continues; edits and retries make branches.
    `ALTER TABLE runs ADD COLUMN previous TEXT`,
    // Set by a process that does not own the run.
    `ALTER TABLE runs ADD COLUMN cancel_requested INTEGER NOT NULL DEFAULT 0`,
    `CREATE INDEX runs_by_chat ON runs (chat_id, turn)`,
    `CREATE INDEX runs_by_parent ON runs (parent)`,
    `CREATE TABLE chats (
      id TEXT PRIMARY KEY,
      agent_id TEXT NOT NULL,
      workspace TEXT NOT NULL,
      caller TEXT NOT NULL,
      surface TEXT NOT NULL,
      title TEXT NOT NULL,
      arguments TEXT NOT NULL,
      models TEXT,
      headless INTEGER NOT NULL,
      -- Tools that a person has allowed for the rest of the chat.
      approvals TEXT NOT NULL,
      -- The run that the next message continues.
      head TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    )`,
    'CREATE INDEX chats_by_time ON chats (updated_at)',
  ],
};
