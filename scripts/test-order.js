import { BaseSequencer } from 'vitest/node';

/**
 * Starts the files under test/ first, which start programs and take longest, so that short ones are left for the
 * end. Within each kind, vitest's own order: the slowest of the last run, or the largest file.
 */
export default class TestOrder extends BaseSequencer {
  /**
   * @override
   * @param {import('vitest/node').TestSpecification[]} files
   */
  async sort(files) {
    // oxlint-disable-next-line no-array-sort -- not that of an array
    const sorted = await super.sort(files);
    const startsPrograms = (/** @type {import('vitest/node').TestSpecification} */ file) =>
      !file.moduleId.includes('/src/');
    return [...sorted.filter(startsPrograms), ...sorted.filter((file) => !startsPrograms(file))];
  }
}
