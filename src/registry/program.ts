import type { SourceKind } from '../contract/agent.ts';
import type { ModuleRunner } from '../scripting/module-runner.ts';
import type { Json, Sandbox, ScriptHost, ScriptLog, ScriptResult } from '../scripting/sandbox.ts';
import type { FileLoaded } from './file-source.ts';
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
  /** Rejects with a `ZooError`: `timeout`, `invalid_arguments`, or `agent_error` with file, line and traceback. */
  run(call: ProgramCall): Promise<ScriptResult>;
}

/** What runs programs; the hub lends it. */
export interface Runners {
  scripts: Pick<Sandbox, 'describe' | 'call'>;
  modules: Pick<ModuleRunner, 'describe' | 'call'>;
}

/** What is known of a folder's programs from one look at it to the next. */
export interface ProgramMemory {
  /** By source and id: the last version that was right. */
  programs: Map<string, Program>;
  /** The files that a program consists of, by the file it begins with. */
  files: Map<string, readonly string[]>;
  /** What a source found while the config could be read. */
  earlier: Map<SourceKind, FileLoaded>;
}

export function createProgramMemory(): ProgramMemory {
  return { programs: new Map(), files: new Map(), earlier: new Map() };
}
