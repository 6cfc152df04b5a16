import { basename } from 'node:path';
import { ZooError } from '../../contract/errors.ts';
import type { ModuleDone, ModuleWork } from './module-run.ts';
import { type ModuleThread, startModuleThread, ThreadLost } from './module-thread.ts';
import type { ScriptDescription, ScriptCall, ScriptFile, ScriptLog, ScriptResult } from '../sandbox.ts';

/** A module version: its thread is never used for another version. */
export interface ModuleFile extends ScriptFile {
  version: string;
}

/**
 * Runs TypeScript and JavaScript modules. They are trusted, so only time and memory are limited. Failures are a
 * `ZooError`, as for scripts.
 */
export interface ModuleThreads {
  /** The description of its agent, and the author's files. */
  describe(module: ModuleFile): Promise<ScriptDescription>;
  call(module: ModuleFile, call: Omit<ScriptCall, 'function'>): Promise<ScriptResult>;
  close(): Promise<void>;
}

export interface ModuleThreadsOptions {
  /** Log lines outside of a call, while loading or after the result. */
  log?: (level: ScriptLog['level'], message: string) => void;
  /** How long an idle module keeps its thread. */
  idleMs?: number;
}

const noHost = (): Promise<never> => Promise.reject(new Error('not available while a module loads'));

export function createModuleThreads({
  log = () => undefined,
  idleMs = 60_000,
}: ModuleThreadsOptions = {}): ModuleThreads {
  const threads = new Map<string, { thread: ModuleThread; idle: NodeJS.Timeout | undefined }>();
  let closed = false;

  function threadFor(module: ModuleFile): { key: string; thread: ModuleThread } {
    const key = JSON.stringify([module.path, module.version, module.limits.memoryBytes]);
    const known = threads.get(key);
    if (known?.thread.fit()) return { key, thread: known.thread };
    clearTimeout(known?.idle);
    const thread = startModuleThread(module, log);
    threads.set(key, { thread, idle: undefined });
    return { key, thread };
  }

  function rest(key: string, thread: ModuleThread): void {
    const entry = threads.get(key);
    if (entry?.thread !== thread || thread.busy()) return;
    clearTimeout(entry.idle);
    entry.idle = setTimeout(() => {
      if (thread.busy()) return;
      threads.delete(key);
      void thread.end();
    }, idleMs);
    entry.idle.unref();
  }

  async function run(module: ModuleFile, work: ModuleWork): Promise<ModuleDone> {
    for (let attempt = 1; ; attempt += 1) {
      if (closed) throw new ZooError('agent_error', 'the hub is closing', { file: module.path });
      const { key, thread } = threadFor(module);
      try {
        return await thread.run(work);
      } catch (error) {
        // Resolving has no side effects, so a lost call is retried.
        if (!(error instanceof ThreadLost) || attempt === 3) throw lost(error, module);
      } finally {
        rest(key, thread);
      }
    }
  }

  return {
    async describe(module) {
      const { value, files } = await run(module, {
        request: { type: 'describe' },
        host: { search: noHost, get: noHost, sources: noHost },
        signal: new AbortController().signal,
      });
      const table = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
      return { table, functions: ['resolve'], files, lasting: true };
    },
    call: (module, { args: [args = {}], config = {}, host, signal, onLog }) =>
      run(module, {
        request: { type: 'resolve', args, config },
        host,
        signal,
        onLog,
      }),
    async close() {
      closed = true;
      await Promise.all([...threads.values()].map(({ thread, idle }) => (clearTimeout(idle), thread.end())));
      threads.clear();
    },
  };
}

function lost(error: unknown, { path }: ModuleFile): unknown {
  if (!(error instanceof ThreadLost)) return error;
  return new ZooError(
    'agent_error',
    `${basename(path)} was stopped because other calls in its thread timed out`,
    {
      file: path,
    },
  );
}
