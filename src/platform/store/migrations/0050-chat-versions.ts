import type { Migration } from '../database.ts';

/** What the runs of a chat use in place of the agent as it is served: a revision, unsaved changes, an output schema. */
export const chatVersions: Migration = {
  id: 50,
  name: 'chat-versions',
  statements: [
    'ALTER TABLE chats ADD COLUMN version TEXT',
    'ALTER TABLE chats ADD COLUMN output_schema TEXT',
  ],
};
