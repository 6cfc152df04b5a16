import { lstatSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { isPrivateFolder } from './private-folder.ts';
import { makeFolder } from '../files/make-folder.ts';

/** Socket paths are limited to 104 to 108 bytes, including the terminator. */
const MAX_BYTES = 100;

/**
 * Where the hub of a home listens for bridges: within the home, unless its path is too long for a socket. Quick,
 * since every bridge starts here.
 */
export function socketPath(home: string): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\agent-zoo-${hashOf(home)}`;
  const path = join(home, 'hub.sock');
  if (Buffer.byteLength(path) <= MAX_BYTES) return path;
  return join(tmpdir(), `agent-zoo-${userInfo().uid}`, `${hashOf(home)}.sock`);
}

/** Loaded lazily: most starts need no hash, and importing `node:crypto` is slow. */
function hashOf(home: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(home).digest('hex').slice(0, 24);
}

/**
 * Whether only this user can create a socket there, since a token is sent to it. Others can write to a temporary
 * folder.
 */
export function isPrivateSocket(home: string, path: string): boolean {
  const folder = dirname(path);
  if (process.platform === 'win32') return true;
  if (folder === home) return isPrivateFolder(home);
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  return stat !== undefined && stat.isDirectory() && stat.uid === userInfo().uid && (stat.mode & 0o077) === 0;
}

export function ensureSocketFolder(home: string, path: string): void {
  if (process.platform === 'win32') return;
  makeFolder(dirname(path), 0o700);
  if (!isPrivateSocket(home, path)) {
    throw new Error(
      `${dirname(path)} must be a folder that only you can access (mode 700): delete it, or choose a shorter ZOO_HOME`,
    );
  }
}
