import type { Migration } from '../database.ts';

/** Every state change of a team, its members, messages and turns. */
export const teamHistory: Migration = {
  id: 41,
  name: 'team-history',
  statements: [
    `CREATE TABLE team_history (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      team_id TEXT NOT NULL,
      at REAL NOT NULL,
      type TEXT NOT NULL,
      subject TEXT NOT NULL,
      state TEXT NOT NULL,
      reason TEXT
    )`,
    'CREATE INDEX team_history_by_team ON team_history (team_id, seq)',
  ],
};
