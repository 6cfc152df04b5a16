import type { Migration } from '../database.ts';

export const callClients: Migration = {
  id: 60,
  name: 'call-clients',
  statements: ['ALTER TABLE tool_calls ADD COLUMN client TEXT'],
};
