import type { Migration } from '../database.ts';

export const revocations: Migration = {
  id: 23,
  name: 'revocations',
  statements: [
    // Tokens by id and approvals of workspaces by path. Kept by a restore, which would otherwise bring them back.
    `CREATE TABLE revocations (
      kind TEXT NOT NULL,
      id TEXT NOT NULL,
      at TEXT NOT NULL,
      PRIMARY KEY (kind, id)
    )`,
  ],
};
