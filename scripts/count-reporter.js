const SLOWEST = 8;

/**
 * Prints the slowest files, the tests that passed only when they were tried again, and at the very end, on a line of
 * its own, how many tests passed and failed.
 */
export default class CountReporter {
  /**
   * @param {ReadonlyArray<import('vitest/node').TestModule>} modules
   * @param {ReadonlyArray<unknown>} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (/** @type {string} */ state) =>
      tests.filter((test) => test.result().state === state).length;
    // A file that cannot be loaded, or a hook that throws, fails without any test of its own.
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const brokenSuites = suites.filter((suite) => suite.errors().length > 0).length;
    const failed = count('failed') + brokenSuites + unhandledErrors.length;
    const skipped = count('skipped');
    const line = `${count('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    process.on('exit', () => process.stdout.write(`${slowestOf(modules)}${unsteadyOf(tests)}\n${line}\n`));
  }
}

/** @param {ReadonlyArray<import('vitest/node').TestModule>} modules */
function slowestOf(modules) {
  if (modules.length <= SLOWEST) return '';
  const files = modules
    .map((module) => {
      const { duration, collectDuration } = module.diagnostic();
      return { name: module.relativeModuleId, seconds: (duration + collectDuration) / 1000 };
    })
    .toSorted((one, other) => other.seconds - one.seconds);
  const lines = files.slice(0, SLOWEST).map(({ name, seconds }) => `  ${seconds.toFixed(1)} s  ${name}`);
  return `Slowest files:\n${lines.join('\n')}\n`;
}

/** @param {ReadonlyArray<import('vitest/node').TestCase>} tests */
function unsteadyOf(tests) {
  const names = tests
    .filter((test) => test.diagnostic()?.flaky)
    .map((test) => `  ${test.module.relativeModuleId}: ${test.fullName}`);
  return names.length > 0
    ? `Passed only when tried again, so they depend on luck:\n${names.join('\n')}\n`
    : '';
}
