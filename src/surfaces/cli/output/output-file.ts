import { type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../../../platform/files/make-folder.ts';
import { reasonOf } from '../../../platform/text/system-error.ts';
import { Failure, wrongUsage } from './failure.ts';

export interface OutputFile {
  path: string;
  /** Null if there is no such file yet. */
  existing: Stats | null;
}

/** Checks a file that a user wants to write, and creates its folder. */
export function prepareOutput(named: string, example: string): OutputFile {
  if (named === '') throw wrongUsage('the name of the file is empty', `name a file, such as ${example}`);
  const path = resolve(named);
  try {
    const existing = statSync(path, { throwIfNoEntry: false }) ?? null;
    if (existing === null) makeFolder(dirname(path));
    if (!existing?.isDirectory()) return { path, existing };
  } catch (error) {
    throw writeFailure(named, error);
  }
  throw new Failure(`cannot write ${named}: it is a folder`, {
    hints: [`name a file in it, such as ${join(named, example)}`],
  });
}

export const writeFailure = (named: string, error: unknown): Failure =>
  new Failure(`cannot write ${named}: ${reasonOf(error)}`, {
    hints: ['choose a file in a folder that you can write to'],
  });
