import type { Migration } from '../database.ts';

export const revisionLabels: Migration = {
  id: 22,
  name: 'revision-labels',
  statements: ['ALTER TABLE revisions ADD COLUMN label TEXT'],
};
