import type { Migration } from '../database.ts';

/** Why a run ended, as a machine-readable word. */
export const endReasons: Migration = {
  id: 51,
  name: 'end-reasons',
  statements: ['ALTER TABLE runs ADD COLUMN end_reason TEXT'],
};
