import type { Migration } from '../database.ts';

export const publishedCalls: Migration = {
  id: 20,
  name: 'published-calls',
  statements: [
    // The run of each published call: the data of its job, and who may access it.
    `CREATE TABLE published_calls (
      run_id TEXT PRIMARY KEY,
      agent_id TEXT NOT NULL,
      tool TEXT NOT NULL,
      workspace TEXT NOT NULL,
      caller TEXT NOT NULL,
      context_id TEXT NOT NULL,
      output TEXT,
      cache_key TEXT,
      created_at TEXT NOT NULL
    )`,
    'CREATE INDEX published_calls_by_cache ON published_calls (cache_key, created_at)',
    'CREATE INDEX published_calls_by_time ON published_calls (created_at)',
  ],
};
