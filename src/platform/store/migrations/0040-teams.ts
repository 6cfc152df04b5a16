import type { Migration } from '../database.ts';

export const teams: Migration = {
  id: 40,
  name: 'teams',
  statements: [
    `CREATE TABLE teams (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      state TEXT NOT NULL,
      data TEXT NOT NULL
    )`,
    'CREATE INDEX teams_by_state ON teams (state)',
    `CREATE TABLE team_members (
      id TEXT PRIMARY KEY,
      team_id TEXT NOT NULL,
      data TEXT NOT NULL
    )`,
    'CREATE INDEX team_members_by_team ON team_members (team_id)',
    // The token of a member's current session; earlier tokens are invalid.
    `CREATE TABLE member_tokens (
      hash TEXT PRIMARY KEY,
      id TEXT NOT NULL,
      team_id TEXT NOT NULL,
      member_id TEXT NOT NULL UNIQUE
    )`,
    // `live` rows can still change and are what a hub keeps in memory.
    `CREATE TABLE team_messages (
      id TEXT PRIMARY KEY,
      team_id TEXT NOT NULL,
      seq INTEGER NOT NULL,
      live INTEGER NOT NULL,
      data TEXT NOT NULL
    )`,
    'CREATE INDEX team_messages_by_seq ON team_messages (team_id, seq)',
    'CREATE INDEX team_messages_live ON team_messages (team_id) WHERE live = 1',
    `CREATE TABLE team_turns (
      id TEXT PRIMARY KEY,
      team_id TEXT NOT NULL,
      member_id TEXT NOT NULL,
      started_at REAL NOT NULL,
      live INTEGER NOT NULL,
      data TEXT NOT NULL
    )`,
    'CREATE INDEX team_turns_by_member ON team_turns (member_id, started_at)',
    'CREATE INDEX team_turns_live ON team_turns (team_id) WHERE live = 1',
  ],
};

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
