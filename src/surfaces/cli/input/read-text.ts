import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Failure } from '../output/failure.ts';
import type { Invocation } from '../invocation.ts';
import { reasonOf } from '../../../platform/text/system-error.ts';

/** The text of a file, or of standard input for `-`. */
export async function readText(call: Invocation, file: string): Promise<string> {
  if (file === '-') return call.terminal.readInput();
  const bytes = await readFile(resolve(file)).catch((error: unknown) => {
    throw fileFailure('read', file, error);
  });
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch {
    throw new Failure(`cannot read ${file}: it is not UTF-8 text`, { hints: ['save it as UTF-8'] });
  }
}

/** By the byte order mark that editors on Windows write. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

export function fileFailure(verb: string, file: string, error: unknown): Failure {
  return new Failure(`cannot ${verb} ${file}: ${reasonOf(error)}`);
}
