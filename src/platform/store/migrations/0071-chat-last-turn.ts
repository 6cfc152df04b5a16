import type { Migration } from '../database.ts';

export const chatLastTurn: Migration = {
  id: 71,
  name: 'chat-last-turn',
  statements: [
    // The highest number of an erased turn. It is not given again: followers count events by the number of their turn.
    'ALTER TABLE chats ADD COLUMN last_turn INTEGER NOT NULL DEFAULT 0',
  ],
};
