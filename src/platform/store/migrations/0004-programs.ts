import type { Migration } from '../database.ts';

export const programs: Migration = {
  id: 4,
  name: 'programs',
  statements: [
    // What a program said of itself and was made of, so that nothing has to run to be known once more.
    `ALTER TABLE last_good ADD COLUMN program TEXT`,
  ],
};
