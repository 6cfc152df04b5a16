import type { Migration } from '../database.ts';

/** Credentials of push configs are kept as files, so that no copy of the store has them. */
export const pushCredentials: Migration = {
  id: 52,
  name: 'push-credentials',
  statements: [
    'DELETE FROM push_configs',
    'ALTER TABLE push_configs DROP COLUMN token',
    'ALTER TABLE push_configs DROP COLUMN scheme',
    'ALTER TABLE push_configs DROP COLUMN credentials',
  ],
};
