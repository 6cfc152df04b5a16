import { chmodSync, lstatSync } from 'node:fs';
import { makeFolder } from '../files/make-folder.ts';

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

/** Creates a folder that only its owner can access, or restricts an existing one. Throws if that fails. */
export function ensurePrivateFolder(folder: string): void {
  makeFolder(folder, 0o700);
  if (process.platform === 'win32') return;
  const { uid, mode } = lstatSync(folder);
  if (uid !== process.getuid?.())
    throw new Error(`${folder} belongs to another user. Set ZOO_HOME to a folder of your own.`);
  if ((mode & OTHERS) === 0) return;
  // Restricting a shared folder such as /tmp would break other programs.
  if (mode & STICKY)
    throw new Error(`${folder} is shared with other users. Set ZOO_HOME to a folder of your own.`);
  chmodSync(folder, 0o700);
}

/** Whether only the owner can create files in a folder. */
export function isPrivateFolder(folder: string): boolean {
  if (process.platform === 'win32') return true;
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  return (
    stat !== undefined &&
    stat.isDirectory() &&
    stat.uid === process.getuid?.() &&
    (stat.mode & OTHERS_WRITE) === 0
  );
}
