import type { Migration } from '../database.ts';

/** Overrides for the runs of a chat: a revision of the agent, unsaved changes, an output schema. */
export const chatVersions: Migration = {
  id: 50,
  name: 'chat-versions',
  statements: [
    'ALTER TABLE chats ADD COLUMN version TEXT',
    'ALTER TABLE chats ADD COLUMN output_schema TEXT',
  ],
};
