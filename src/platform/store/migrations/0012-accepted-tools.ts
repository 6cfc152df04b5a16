import type { Migration } from '../database.ts';

export const acceptedTools: Migration = {
  id: 12,
  name: 'accepted-tools',
  statements: [
    // The tools of upstream servers as they were accepted or last used. The owner is empty for the user's own config.
    `CREATE TABLE accepted_tools (
      owner TEXT NOT NULL,
      server TEXT NOT NULL,
      tool TEXT NOT NULL,
      definition TEXT NOT NULL,
      at TEXT NOT NULL,
      PRIMARY KEY (owner, server, tool)
    )`,
  ],
};
