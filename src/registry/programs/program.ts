import type { ModuleThreads } from '../../scripting/modules/module-threads.ts';
import type { Json, Sandbox, ScriptHost, ScriptLog, ScriptResult } from '../../scripting/sandbox.ts';
import type { KeptProgram } from './kept-program.ts';
import type { FirstIndex } from './script-facts.ts';

export interface ProgramCall {
  /** Values of the declared arguments, with defaults. */
  args: Record<string, Json>;
  host: ScriptHost;
  signal: AbortSignal;
  onLog?(line: ScriptLog): void;
}

/** Computes an agent's prompt on request. */
export interface Program {
  /** Changes whenever the program's results may change. */
  version: string;
  /** The first index of lists in its language, for messages. */
  first: FirstIndex;
  /** Its description for the next start; undefined if that may change. */
  kept?: KeptProgram;
  /** A placeholder for a program that cannot run any more: it fails with the reason. */
  broken?: boolean;
  /** Rejects with a `ZooError`: `timeout`, `invalid_arguments`, or `agent_error` with file, line and traceback. */
  run(call: ProgramCall): Promise<ScriptResult>;
}

/** Runs programs; provided by the hub. */
export interface ScriptEngines {
  scripts: Pick<Sandbox, 'describe' | 'call'>;
  modules: Pick<ModuleThreads, 'describe' | 'call'>;
}
