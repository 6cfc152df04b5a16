import type { ScriptEngines } from '../../src/registry/programs/program.ts';

const refuse = (): Promise<never> => Promise.reject(new Error('nothing runs in this test'));

/** For tests in which nothing runs. */
export const noEngines: ScriptEngines = {
  scripts: { describe: refuse, call: refuse },
  modules: { describe: refuse, call: refuse },
};
