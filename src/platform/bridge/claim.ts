import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../files/make-folder.ts';

/** Longer than the hub takes to start. */
const STALE_MS = 15_000;

/**
 * The right to start the hub, or null while another bridge holds it. Only one process can serve a home anyway; this
 * keeps twenty bridges that lost their hub from starting twenty.
 */
export function claimStart(file: string): (() => void) | null {
  makeFolder(dirname(file), 0o700);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      writeFileSync(file, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
      return () => release(file);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      if (isHeld(file)) return null;
      rmSync(file, { force: true });
    }
  }
  return null;
}

function isHeld(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat || Date.now() - stat.mtimeMs > STALE_MS) return false;
  const pid = holderOf(file);
  // The file is empty for a moment between its creation and the write.
  if (pid === null) return Date.now() - stat.mtimeMs < 1000;
  try {
    return pid !== process.pid && process.kill(pid, 0);
  } catch {
    return false;
  }
}

function release(file: string): void {
  if (holderOf(file) === process.pid) rmSync(file, { force: true });
}

function holderOf(file: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    return pid > 0 ? pid : null;
  } catch {
    return null;
  }
}
