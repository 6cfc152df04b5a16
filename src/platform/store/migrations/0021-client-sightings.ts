import type { Migration } from '../database.ts';

export const clientSightings: Migration = {
  id: 21,
  name: 'client-sightings',
  statements: [
    // Which MCP clients have used the hub, by the name that they give themselves. '' is the whole hub.
    `CREATE TABLE client_sightings (
      name TEXT NOT NULL,
      agent_id TEXT NOT NULL,
      workspace TEXT NOT NULL,
      first_at TEXT NOT NULL,
      last_at TEXT NOT NULL,
      PRIMARY KEY (name, agent_id, workspace)
    )`,
  ],
};
