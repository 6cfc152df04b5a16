import type { Migration } from '../database.ts';

export const ownership: Migration = {
  id: 8,
  name: 'ownership',
  statements: [
    // The owner of work that must happen exactly once. Released rows stay, so that fencing numbers only grow.
    `CREATE TABLE leases (
      kind TEXT NOT NULL,
      id TEXT NOT NULL,
      owner TEXT,
      fence INTEGER NOT NULL,
      expires_at REAL NOT NULL,
      PRIMARY KEY (kind, id)
    )`,
    // The state of a workspace when it was last open, so that listing workspaces opens none of them.
    `ALTER TABLE workspaces ADD COLUMN config TEXT`,
    `ALTER TABLE workspaces ADD COLUMN trust TEXT`,
    // The workspace whose file defines a token's agent; empty for agents of the editor and the user's own config.
    `ALTER TABLE access_tokens ADD COLUMN owner TEXT NOT NULL DEFAULT ''`,
    // A hash of the request: a different request with the same idempotency key is rejected.
    `ALTER TABLE done_writes ADD COLUMN request TEXT NOT NULL DEFAULT ''`,
  ],
};
