import { mkdirSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { homeFiles } from './paths.ts';

export interface Lock {
  release(): void;
}

const SQLITE_BUSY = 5;

/** The role of serving a home, or null while another process has it. */
export async function acquireServeLock(home: string): Promise<Lock | null> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  return acquireLock(homeFiles(home).serveLock);
}

/**
 * Null while another process has it. It is SQLite's lock on a database of its own, which the kernel drops with the
 * process, however that ends. Nothing else may open and close that file in the process that holds it: POSIX locks
 * would be gone with the first close.
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
