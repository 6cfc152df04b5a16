import type { Migration } from '../database.ts';

export const pushConfigs: Migration = {
  id: 31,
  name: 'push-configs',
  statements: [
    // Where to report the end of an A2A task.
    `CREATE TABLE push_configs (
      task_id TEXT NOT NULL,
      id TEXT NOT NULL,
      workspace TEXT NOT NULL,
      url TEXT NOT NULL,
      token TEXT NOT NULL,
      scheme TEXT NOT NULL,
      credentials TEXT NOT NULL,
      -- Set once the end was reported, or could not be.
      finished INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (task_id, id)
    )`,
  ],
};
