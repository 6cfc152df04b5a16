import type { Migration } from '../database.ts';

export const runs: Migration = {
  id: 10,
  name: 'runs',
  statements: [
    `CREATE TABLE runs (
      id TEXT PRIMARY KEY,
      state TEXT NOT NULL,
      agent_id TEXT NOT NULL,
      agent_revision INTEGER NOT NULL,
      workspace TEXT NOT NULL,
      model TEXT,
      caller TEXT NOT NULL,
      surface TEXT NOT NULL,
      prompt TEXT NOT NULL,
      -- Everything that is needed to go on after a restart.
      request TEXT NOT NULL,
      resolved TEXT,
      text TEXT NOT NULL,
      steps INTEGER NOT NULL,
      usage TEXT NOT NULL,
      error TEXT,
      created_at TEXT NOT NULL,
      ended_at TEXT
    )`,
    'CREATE INDEX runs_by_time ON runs (created_at)',
    'CREATE INDEX runs_by_state ON runs (state)',
    `CREATE TABLE run_steps (
      run_id TEXT NOT NULL,
      step INTEGER NOT NULL,
      model TEXT NOT NULL,
      -- Messages of the user that joined before the step.
      joined TEXT NOT NULL,
      answer TEXT,
      usage TEXT NOT NULL,
      started_at TEXT NOT NULL,
      duration_ms REAL NOT NULL,
      PRIMARY KEY (run_id, step)
    )`,
    // A call without a result was under way: it may have happened.
    `CREATE TABLE run_calls (
      run_id TEXT NOT NULL,
      step INTEGER NOT NULL,
      call_id TEXT NOT NULL,
      position INTEGER NOT NULL,
      repeatable INTEGER NOT NULL,
      result TEXT,
      PRIMARY KEY (run_id, step, call_id)
    )`,
    // The history before a step, where it was replaced by a shorter one.
    `CREATE TABLE run_histories (
      run_id TEXT NOT NULL,
      step INTEGER NOT NULL,
      messages TEXT NOT NULL,
      PRIMARY KEY (run_id, step)
    )`,
    // Spent per local day and agent; the hub's total is the sum.
    `CREATE TABLE spending (
      day TEXT NOT NULL,
      agent_id TEXT NOT NULL,
      tokens INTEGER NOT NULL,
      usd REAL NOT NULL,
      PRIMARY KEY (day, agent_id)
    )`,
  ],
};
