import type { Migration } from '../database.ts';

export const chatApprovalsOf: Migration = {
  id: 70,
  name: 'chat-approvals-of',
  statements: [
    // The definition that the approvals of a chat were given to: another agent with the same id does not have them.
    'ALTER TABLE chats ADD COLUMN approvals_of TEXT',
  ],
};

export const chatLastTurn: Migration = {
  id: 71,
  name: 'chat-last-turn',
  statements: [
    // The highest number of an erased turn. It is not given again: followers count events by the number of their turn.
    'ALTER TABLE chats ADD COLUMN last_turn INTEGER NOT NULL DEFAULT 0',
  ],
};
