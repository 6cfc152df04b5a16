import { buildIfChanged, firstLine } from './prepare.js';

/**
 * Tests start dist/zoo.js and its workers. While the sources do not build, those that need neither can still be
 * run with vitest alone; `npm test` insists.
 */
export async function setup() {
  try {
    await buildIfChanged();
  } catch (error) {
    console.error(`Tests that need dist/ will fail or see an old one. ${firstLine(error)}`);
  }
}
