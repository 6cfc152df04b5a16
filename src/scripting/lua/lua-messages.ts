import type { LuaFailure } from './lua-failure.ts';
import type { HostValue } from './host-value.ts';
import type { Json, ScriptFile, ScriptKind, ScriptLimits, ScriptLog } from '../sandbox.ts';

/** Start data of a thread: the shared integer that signals an answer. */
export interface LuaThreadData {
  answered: SharedArrayBuffer;
}

/** One call of a script, as sent to a thread. */
export interface LuaJob {
  kind: ScriptKind;
  path: string;
  root: string;
  approved: ScriptFile['approved'];
  limits: ScriptLimits;
  env: Readonly<Record<string, string>>;
  /** Used instead of the files on disk. */
  texts: Readonly<Record<string, string>>;
  /** Null describes the script. */
  call: { function: string; args: readonly Json[]; config: Json } | null;
}

/** The result of a host function. Scripts can catch its errors. */
export type LuaAnswer = { value: HostValue } | { error: string };

export type LuaMessage =
  | { type: 'ready' }
  | { type: 'log'; log: ScriptLog }
  | { type: 'ask'; name: string; args: HostValue[] }
  /** Answered like `ask`, once everything before it has been read. */
  | { type: 'catch-up' }
  | { type: 'done'; result: string; functions: string[]; files: Record<string, string>; lasting: boolean }
  | { type: 'failed'; failure: LuaFailure };

export function isThreadData(value: unknown): value is LuaThreadData {
  return (
    typeof value === 'object' &&
    value !== null &&
    'answered' in value &&
    value.answered instanceof SharedArrayBuffer
  );
}
