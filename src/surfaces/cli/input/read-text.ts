import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Failure } from '../output/failure.ts';
import type { Invocation } from '../invocation.ts';
import { reasonOf } from '../../../platform/text/system-error.ts';

/** The text of a file, or of standard input for `-`. */
export async function readText(call: Invocation, file: string): Promise<string> {
  if (file === '-') return call.terminal.readInput();
  try {
    return (await readFile(resolve(file), 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    throw fileFailure('read', file, error);
  }
}

export function fileFailure(verb: string, file: string, error: unknown): Failure {
  return new Failure(`cannot ${verb} ${file}: ${reasonOf(error)}`);
}
