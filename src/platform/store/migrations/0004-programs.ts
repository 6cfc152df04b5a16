import type { Migration } from '../database.ts';

export const programs: Migration = {
  id: 4,
  name: 'programs',
  statements: [
    // A program's description and file hashes, so that it does not have to run again to be listed.
    `ALTER TABLE last_good ADD COLUMN program TEXT`,
  ],
};
