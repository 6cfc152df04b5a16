import { runVitest } from './run-vitest.js';

/** @typedef {import('./run-vitest.js').Failure} Failure */

/** More than this many files do not fail by accident. */
const MOST_AGAIN = 4;

/**
 * With arguments, which name tests or options of vitest, one run of the first config; otherwise all tests of each.
 * @param {[string, ...string[]]} configs
 * @param {string[]} args
 */
export async function runTests(configs, args) {
  if (args.length === 0) return runSuites(configs);
  process.exitCode = (await runVitest(['--config', configs[0], ...args])).code;
}

/**
 * Prints the failures once more after everything else.
 * @param {string[]} configs
 */
async function runSuites(configs) {
  /** @type {Failure[]} */
  const failed = [];
  /** @type {Failure[]} */
  const passedAlone = [];
  for (const config of configs) {
    const { first, again } = await runSuite(config);
    const last = again ?? first;
    if (last.code !== 0) process.exitCode = last.code;
    failed.push(...last.failures);
    if (again?.code === 0) passedAlone.push(...first.failures);
  }
  print('Failed at first, and passed when run alone, so they depend on luck:', passedAlone);
  print('Failed:', failed);
}

/**
 * Hundreds of processes share the machine during a run, and now and then one is too late for a test. The few files
 * that failed are run again with the machine to themselves: what fails there as well has failed.
 * @param {string} config
 */
async function runSuite(config) {
  const args = ['--config', config];
  const first = await runVitest(args);
  const files = [...new Set(first.failures.map(({ file }) => file))];
  const mayBeLuck = first.code === 1 && files.length > 0 && files.length <= MOST_AGAIN && !files.includes('');
  if (!mayBeLuck) return { first };
  console.log(`\nFailed, and run again alone: ${files.join(', ')}`);
  return { first, again: await runVitest([...args, '--maxWorkers=1', ...files]) };
}

/**
 * @param {string} title
 * @param {Failure[]} failures
 */
function print(title, failures) {
  if (failures.length === 0) return;
  const lines = failures.map(
    ({ file, name, message }) => `  ${file}: ${name}\n${message.replaceAll(/^/gm, '      ')}`,
  );
  console.log(`\n${title}\n${lines.join('\n')}`);
}
