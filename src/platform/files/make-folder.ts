import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its parents. Node's own recursive `mkdir` never returns where the system reports a missing
 * parent that exists, as below `/proc`.
 */
export function makeFolder(folder: string, mode = 0o777): void {
  const parent = dirname(folder);
  if (parent !== folder && !existsSync(parent)) makeFolder(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if (!isThere(error) || !statSync(folder).isDirectory()) throw error;
  }
}

const isThere = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST';
