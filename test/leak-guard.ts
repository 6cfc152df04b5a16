import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { endProcessesOf } from '../scripts/leftovers.js';

/**
 * Runs around every test file: the file gets a temp folder of its own, named after it, and fails if it leaves a
 * process, a listening port or a temp folder behind. A test that timed out is no exception.
 */

const PATIENCE_MS = 20_000;

/** Folders that the program and its libraries keep on purpose. */
const KEPT = /^(agent-zoo-\d+|jiti|node-jiti|node-compile-cache|node-gyp.*)$/;

const outer = process.env['TMPDIR'];
const run = process.env['ZOO_TEST_RUN'];
if (run === undefined) throw new Error('ZOO_TEST_RUN is not set: scripts/test-setup.js sets it.');
const name = basename(expect.getState().testPath ?? 'unknown').replace(/\.test\.ts$/, '');
const folder = mkdtempSync(join(run, `${name}-`));
process.env['TMPDIR'] = folder;
// Test files share a worker: handles that an earlier file left are reported there.
const openBefore = openHandles().length;

afterAll(async () => {
  const left = [
    ...(await handlesLeft()),
    ...(await endProcessesOf(folder, PATIENCE_MS)).map(({ pid, command }) => `process ${pid}: ${command}`),
    ...readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !KEPT.test(entry.name))
      .map((entry) =>
        entry.isDirectory()
          ? `temp folder ${entry.name}: ${readdirSync(join(folder, entry.name)).slice(0, 5).join(', ')}`
          : `temp file ${entry.name}`,
      ),
  ];
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  if (outer === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = outer;
  if (left.length > 0) throw new Error(`Left behind by the tests of this file:\n${left.join('\n')}`);
}, 120_000);

/** Servers that still listen and children that still run in this process; both may be about to close. */
async function handlesLeft(): Promise<string[]> {
  const deadline = performance.now() + PATIENCE_MS;
  while (openHandles().length > openBefore && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return openHandles()
    .slice(openBefore)
    .map((kind) => (kind === 'ProcessWrap' ? 'a child process' : 'a listening server'));
}

function openHandles(): string[] {
  return process.getActiveResourcesInfo().filter((kind) => /ServerWrap$|^ProcessWrap$/.test(kind));
}
