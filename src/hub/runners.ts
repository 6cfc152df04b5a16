import { ZooError } from '../contract/errors.ts';
import type { Log } from '../platform/log.ts';
import type { Runners } from '../registry/program.ts';
import type { ModuleRunner } from '../scripting/module-runner.ts';

export interface OwnedRunners extends Runners {
  close(): Promise<void>;
}

/** What runs scripts and modules, loaded when the first of them does: most commands run none. */
export function createRunners(log: Partial<Log>): OwnedRunners {
  let modules: Promise<ModuleRunner> | undefined;
  const moduleRunner = (): Promise<ModuleRunner> =>
    (modules ??= import('../scripting/module-runner.ts').then(({ createModuleRunner }) =>
      createModuleRunner({ log: (level, message) => log[level]?.('a module says', { message }) }),
    ));
  const notYet = () =>
    Promise.reject(new ZooError('agent_error', 'Lua scripts are not part of this version.'));

  return {
    scripts: { describe: notYet, call: notYet },
    modules: {
      describe: async (module) => (await moduleRunner()).describe(module),
      call: async (module, call) => (await moduleRunner()).call(module, call),
    },
    async close() {
      await (await modules)?.close();
    },
  };
}
