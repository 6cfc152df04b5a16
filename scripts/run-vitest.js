import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.js';
import { createTestRun, endTestRun } from './test-run.js';

/** @typedef {{ file: string, name: string, message: string }} Failure `file` is empty if no file is known */
/** @typedef {{ failures: Failure[], code: number }} Outcome */

/**
 * Runs vitest, and looks for what it left behind, which counts as a failure.
 * @param {string[]} args
 * @param {Record<string, string>} [env] added to that of this process
 * @returns {Promise<Outcome>}
 */
export async function runVitest(args, env = {}) {
  const folder = createTestRun();
  const failuresFile = `${folder}.json`;
  const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts/count-reporter.js')}`];
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...reporters, ...args],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env, ZOO_TEST_RUN: folder, ZOO_TEST_FAILURES: failuresFile },
    },
  );
  // A terminal sends Ctrl-C to both; the leftovers are still to be looked for.
  const stay = () => undefined;
  const end = () => child.kill('SIGTERM');
  process.on('SIGINT', stay).on('SIGTERM', end);
  const [code] = await once(child, 'exit');
  process.off('SIGINT', stay).off('SIGTERM', end);
  const failures = takeFailures(failuresFile);
  const left = await endTestRun(folder);
  if (left.length === 0) return { failures, code: code ?? 1 };
  const message = left.join('\n');
  console.error(`\nLeft behind by the tests, and removed:\n${message}`);
  return {
    failures: [...failures, { file: '', name: 'left behind, and removed', message }],
    code: code || 1,
  };
}

/**
 * @param {string} file
 * @returns {Failure[]}
 */
function takeFailures(file) {
  // Missing if vitest did not get to its end.
  if (!existsSync(file)) return [];
  const failures = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  return failures;
}
