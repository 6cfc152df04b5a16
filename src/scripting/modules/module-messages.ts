import type { Json, ScriptFile, ScriptLog } from '../sandbox.ts';

/** Messages between the hub and a module's thread. */
export interface ModuleThreadData {
  path: string;
  /** Where `agent-zoo/agent` is. */
  agentPackage: string;
  approved: ScriptFile['approved'];
}

export type HostFunction = 'search' | 'get' | 'sources';

export type ToModule =
  | { type: 'describe'; id: number }
  | { type: 'resolve'; id: number; args: Json; config: Json }
  | { type: 'abort'; id: number }
  | { type: 'answer'; call: number; value: unknown }
  | { type: 'refuse'; call: number; message: string }
  | { type: 'ping' };

export interface ModuleFailure {
  code: 'agent_error' | 'invalid_arguments' | 'untrusted';
  /** Begins with file and line, if known. */
  message: string;
  file: string;
  line: number | null;
  /** The author's own frames, innermost first. */
  traceback: string[];
  issues: unknown;
}

export type FromModule =
  /** The module is loaded, and the call has started. */
  | { type: 'started'; id: number }
  | { type: 'done'; id: number; value: Json; files: string[] }
  | { type: 'failed'; id: number; failure: ModuleFailure }
  | { type: 'host'; id: number; call: number; name: HostFunction; argument: unknown }
  | { type: 'log'; id: number | null; level: ScriptLog['level']; message: string }
  | { type: 'pong' };

/** Hand-written, so that the thread starts without a schema library. */
export function isModuleThreadData(value: unknown): value is ModuleThreadData {
  if (typeof value !== 'object' || value === null || !('path' in value) || !('agentPackage' in value))
    return false;
  return typeof value.path === 'string' && typeof value.agentPackage === 'string';
}
