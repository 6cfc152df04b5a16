import type { Migration } from '../database.ts';

export const chatApprovalsOf: Migration = {
  id: 70,
  name: 'chat-approvals-of',
  statements: [
    // The definition that the approvals of a chat were given to: another agent with the same id does not have them.
    'ALTER TABLE chats ADD COLUMN approvals_of TEXT',
  ],
};
