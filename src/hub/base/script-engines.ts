import { loadOnce } from '../../platform/caching/load-once.ts';
import type { Log } from '../../platform/home/log.ts';
import type { ScriptEngines } from '../../registry/programs/program.ts';

export interface OwnedEngines extends ScriptEngines {
  close(): Promise<void>;
}

/** Runs scripts and modules. Engines are loaded on first use, because most commands need none. */
export function createScriptEngines(log: Partial<Log>): OwnedEngines {
  const modules = loadOnce(async () => {
    const { createModuleThreads } = await import('../../scripting/modules/module-threads.ts');
    return createModuleThreads({ log: (level, message) => log[level]?.('module output', { message }) });
  });
  const scripts = loadOnce(async () => {
    const { createSandbox } = await import('../../scripting/create-sandbox.ts');
    return createSandbox();
  });
  return {
    scripts: {
      describe: async (script) => (await scripts.get()).describe(script),
      call: async (script, call) => (await scripts.get()).call(script, call),
    },
    modules: {
      describe: async (module) => (await modules.get()).describe(module),
      call: async (module, call) => (await modules.get()).call(module, call),
    },
    async close() {
      await Promise.all([modules, scripts].map(async (engine) => (await engine.started())?.close()));
    },
  };
}
