import { accessSync, constants, existsSync } from 'node:fs';
import { Failure } from '../output/failure.ts';

/** Explains an unwritable home before the store fails with a less helpful message. */
export function requireWritableHome(home: string): void {
  if (!existsSync(home)) return;
  try {
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    throw new Failure(`cannot write to the home folder ${home}`, {
      code: 'read_only_home',
      hints: ['give yourself write access to it, or set ZOO_HOME to another folder'],
    });
  }
}
