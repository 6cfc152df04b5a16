import type { Migration } from '../database.ts';

/** Two tokens of one agent have the same name, and must not see the runs and chats of each other. */
export const callerKeys: Migration = {
  id: 30,
  name: 'caller-keys',
  statements: [`ALTER TABLE runs ADD COLUMN caller_key TEXT`, `ALTER TABLE chats ADD COLUMN caller_key TEXT`],
};
