import { DatabaseSync } from '@photostructure/sqlite';
import { homeFiles } from './paths.ts';
import { ensurePrivateFolder } from './private-folder.ts';

export interface Lock {
  release(): void;
}

const SQLITE_BUSY = 5;

/** The lock for serving a home; null while another process holds it. */
export async function acquireServeLock(home: string): Promise<Lock | null> {
  ensurePrivateFolder(home);
  return acquireLock(homeFiles(home).serveLock);
}

/**
 * Null while another process holds it. Uses SQLite's lock on a separate database, which the kernel releases when
 * the process ends, even after a crash. The holder must not open and close that file elsewhere: the first close
 * would release a POSIX lock.
 */
export function acquireLock(file: string): Lock | null {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw error;
  }
  let held = true;
  return {
    release() {
      if (held) database.close();
      held = false;
    },
  };
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
