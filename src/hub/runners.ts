import type { Log } from '../platform/home/log.ts';
import type { Runners } from '../registry/programs/program.ts';
import type { ModuleRunner } from '../scripting/modules/module-runner.ts';
import type { Sandbox } from '../scripting/sandbox.ts';

export interface OwnedRunners extends Runners {
  close(): Promise<void>;
}

/** What runs scripts and modules, loaded when the first of them does: most commands run none. */
export function createRunners(log: Partial<Log>): OwnedRunners {
  let modules: Promise<ModuleRunner> | undefined;
  const moduleRunner = (): Promise<ModuleRunner> =>
    (modules ??= import('../scripting/modules/module-runner.ts').then(({ createModuleRunner }) =>
      createModuleRunner({ log: (level, message) => log[level]?.('a module says', { message }) }),
    ));
  let sandbox: Promise<Sandbox> | undefined;
  const luaSandbox = (): Promise<Sandbox> =>
    (sandbox ??= import('../scripting/create-sandbox.ts').then(({ createSandbox }) => createSandbox()));

  return {
    scripts: {
      describe: async (script) => (await luaSandbox()).describe(script),
      call: async (script, call) => (await luaSandbox()).call(script, call),
    },
    modules: {
      describe: async (module) => (await moduleRunner()).describe(module),
      call: async (module, call) => (await moduleRunner()).call(module, call),
    },
    async close() {
      await Promise.all([(await modules)?.close(), (await sandbox)?.close()]);
    },
  };
}
