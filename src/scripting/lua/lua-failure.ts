import { Halt, type HaltReason } from './halt.ts';
import { PRELUDE } from './prelude.ts';
import { messageOf } from '../../platform/text/error-message.ts';

/** Why a call failed, in words for the script's author. */
export interface LuaFailure {
  reason: 'error' | HaltReason;
  /** Begins with file and line, if known. */
  message: string;
  /** Relative to the script's folder, as in the message. */
  file: string;
  line: number | null;
  /** The script's own frames, innermost first. */
  traceback: string[];
}

const position = /^([^\n:]+):(\d+):/;

const longest = 4_000;

/** @param thrown the Lua error, or what was thrown through it */
export function failureOf(thrown: unknown, file: string, traceback: string[]): LuaFailure {
  if (typeof thrown === 'string') {
    const error = shortened(thrown);
    const [, where, line] =
      position.exec(error) ?? position.exec(traceback.find((frame) => position.test(frame)) ?? '') ?? [];
    const known =
      where === undefined || line === undefined ? { file, line: null } : { file: where, line: Number(line) };
    const message = error.startsWith(`${known.file}:`) ? error : `${placeOf(known)}: ${error}`;
    return { reason: 'error', message, ...known, traceback };
  }
  const { reason, text } = haltOf(thrown);
  return { reason, message: `${file}: ${text}`, file, line: null, traceback: [] };
}

const shortened = (text: string) =>
  text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length - longest} more characters)`;

const placeOf = ({ file, line }: { file: string; line: number | null }) =>
  line === null ? file : `${file}:${line}`;

function haltOf(error: unknown): { reason: HaltReason; text: string } {
  if (error instanceof Halt) return { reason: error.reason, text: error.message };
  if (error instanceof RangeError) return { reason: 'stack', text: 'stack overflow' };
  const said = messageOf(error);
  return { reason: 'engine', text: `the Lua engine stopped: ${said}` };
}

/** The lines of a Lua traceback, without those of the engine and the prelude. */
export function readTraceback(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== 'stack traceback:')
    .filter((line) => !line.startsWith('[C]') && !line.startsWith(PRELUDE))
    .map(shortened);
}
