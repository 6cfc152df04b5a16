import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcessesOf } from './leftovers.js';

/** Socket paths end after about 100 bytes, and tests put a few folders below this one. */
const LONGEST = 30;

/** A temp folder for one run of the tests, in which each test file gets a folder of its own. */
export function createTestRun() {
  const parent = tmpdir().length > LONGEST && existsSync('/tmp') ? '/tmp' : tmpdir();
  return mkdtempSync(join(realpathSync(parent), 'zoo-test-'));
}

/**
 * Removes the folder, and ends what still runs in it.
 * @param {string} folder
 * @returns {Promise<string[]>} the processes and folders that were left, in words
 */
export async function endTestRun(folder) {
  const processes = await endProcessesOf(folder, 30_000);
  // A file whose tests are all skipped gets a folder, but no hook that removes it.
  const folders = readdirSync(folder).filter((name) => readdirSync(join(folder, name)).length > 0);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  return [
    ...processes.map(({ pid, command }) => `process ${pid}: ${command}`),
    ...folders.map((name) => `temp folder of ${name.replace(/-[^-]*$/, '')}`),
  ];
}
