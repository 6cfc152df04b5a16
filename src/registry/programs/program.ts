import type { ModuleThreads } from '../../scripting/modules/module-threads.ts';
import type { Json, Sandbox, ScriptHost, ScriptLog, ScriptResult } from '../../scripting/sandbox.ts';
import type { KeptProgram } from './kept-program.ts';
import type { FirstIndex } from './script-facts.ts';

export interface ProgramCall {
  /** What was given for the declared arguments, and their defaults. */
  args: Record<string, Json>;
  host: ScriptHost;
  signal: AbortSignal;
  onLog?(line: ScriptLog): void;
}

/** What computes an agent's prompt when it is asked for. */
export interface Program {
  /** Differs whenever the program may answer differently. */
  version: string;
  /** How its language counts, for messages about its lists. */
  first: FirstIndex;
  /** What to know it by the next time; undefined if it may say something else then. */
  kept?: KeptProgram;
  /** It only stands in for one that cannot be run any more: it answers with what is wrong. */
  broken?: boolean;
  /** Rejects with a `ZooError`: `timeout`, `invalid_arguments`, or `agent_error` with file, line and traceback. */
  run(call: ProgramCall): Promise<ScriptResult>;
}

/** What runs programs; the hub lends it. */
export interface ScriptEngines {
  scripts: Pick<Sandbox, 'describe' | 'call'>;
  modules: Pick<ModuleThreads, 'describe' | 'call'>;
}
