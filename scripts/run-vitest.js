import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from './root.js';
import { createTestRun, endTestRun } from './test-run.js';

/**
 * Runs vitest, and looks for what it left behind. Sets the exit code of this process if something failed.
 * @param {string[]} args
 * @param {Record<string, string>} [env] added to that of this process
 */
export async function runVitest(args, env = {}) {
  const folder = createTestRun();
  const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts/count-reporter.js')}`];
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...reporters, ...args],
    { cwd: root, stdio: 'inherit', env: { ...process.env, ...env, ZOO_TEST_RUN: folder } },
  );
  // A terminal sends Ctrl-C to both; the leftovers are still to be looked for.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const [code] = await once(child, 'exit');
  const left = await endTestRun(folder);
  if (left.length > 0) console.error(`\nLeft behind by the tests, and removed:\n${left.join('\n')}`);
  // A second run that passes must not hide the failure of the first.
  const ended = left.length > 0 ? 1 : (code ?? 1);
  if (ended !== 0) process.exitCode = ended;
}
