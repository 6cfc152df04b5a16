import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Failure } from './failure.ts';
import type { Invocation } from './invocation.ts';

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

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'there is no such file or folder';
  if (code === 'EACCES' || code === 'EPERM') return 'this is not permitted';
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'EEXIST') return 'it is there already';
  return error instanceof Error ? error.message : String(error);
}
