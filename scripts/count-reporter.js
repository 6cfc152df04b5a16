import { writeFileSync } from 'node:fs';

const SLOWEST = 8;

/** A message may hold a whole screen or page. */
const MOST_LINES = 30;

/**
 * Prints the slowest files and at the very end, on a line of its own, how many tests passed and failed. Writes the
 * failures to the file that `ZOO_TEST_FAILURES` names.
 */
export default class CountReporter {
  /**
   * @param {ReadonlyArray<import('vitest/node').TestModule>} modules
   * @param {ReadonlyArray<import('vitest').SerializedError>} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (/** @type {string} */ state) =>
      tests.filter((test) => test.result().state === state).length;
    // A file that cannot be loaded, or a hook that throws, fails without any test of its own.
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const failures = [
      ...tests
        .filter((test) => test.result().state === 'failed')
        .map((test) => failure(test, test.result().errors)),
      ...suites.filter((suite) => suite.errors().length > 0).map((suite) => failure(suite, suite.errors())),
      ...unhandledErrors.map((error) => ({ file: '', name: 'unhandled error', message: shortened([error]) })),
    ];
    const failuresFile = process.env['ZOO_TEST_FAILURES'];
    if (failuresFile) writeFileSync(failuresFile, JSON.stringify(failures));
    const skipped = count('skipped');
    const line = `${count('passed')} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    process.on('exit', () => process.stdout.write(`${slowestOf(modules)}\n${line}\n`));
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

/**
 * @param {import('vitest/node').TestCase | import('vitest/node').TestSuite | import('vitest/node').TestModule} part
 * @param {ReadonlyArray<import('vitest').SerializedError> | undefined} errors
 */
function failure(part, errors) {
  const [file, name] =
    part.type === 'module'
      ? [part.relativeModuleId, 'the file itself, or its hooks']
      : [part.module.relativeModuleId, part.fullName];
  return { file, name, message: shortened(errors ?? []) };
}

/** @param {ReadonlyArray<import('vitest').SerializedError>} errors */
function shortened(errors) {
  const lines = errors.flatMap(({ stack, message, diff }) =>
    `${stack ?? message}\n${typeof diff === 'string' ? diff : ''}`.split('\n'),
  );
  return lines
    .filter((line) => line.trim() !== '' && !line.includes('/node_modules/'))
    .slice(0, MOST_LINES)
    .join('\n');
}
