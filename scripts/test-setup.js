import { rmSync } from 'node:fs';
import { ensureBubblewrap } from './bubblewrap.js';
import { buildIfChanged, firstLine } from './prepare.js';
import { createTestRun } from './test-run.js';

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
  ensureBubblewrap();
  // Workers inherit it. `npm test` has made one, and also looks at what is left of it when vitest has exited.
  if (process.env['ZOO_TEST_RUN']) return undefined;
  const folder = createTestRun();
  process.env['ZOO_TEST_RUN'] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
