import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '../output/failure.ts';

/** Explains an unwritable home before the store fails with a less helpful message. */
export function requireWritableHome(home: string): void {
  const refused = unwritableFolder(home);
  if (refused === null) return;
  const message =
    refused === home
      ? `cannot write to the home folder ${home}`
      : `cannot create the home folder ${home}: ${refused} is not writable`;
  throw new Failure(message, {
    code: 'read_only_home',
    hints: [`give yourself write access to ${refused}, or set ZOO_HOME to another folder`],
  });
}

/** The folder that keeps the home from being used or created; null if nothing does. */
export function unwritableFolder(home: string): string | null {
  let folder = home;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK | (folder === home ? constants.R_OK : 0));
    return null;
  } catch {
    return folder;
  }
}
