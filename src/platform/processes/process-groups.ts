import type { ChildProcess } from 'node:child_process';

const groups = new Set<number>();

/**
 * Children that lead a process group of their own, so that what they start ends with them. None outlives this
 * process: whatever way it exits, those that are left are killed.
 */
export function trackGroup(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (groups.size === 0) process.on('exit', killAll);
  groups.add(pid);
  child.once('exit', () => {
    // What the leader leaves behind has nobody to talk to.
    signalGroup(pid, 'SIGKILL');
    groups.delete(pid);
    if (groups.size === 0) process.off('exit', killAll);
  });
}

/** False when nobody is left to be told. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    // Windows has no groups of this kind.
    return process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    return false;
  }
}

function killAll(): void {
  for (const pid of groups) signalGroup(pid, 'SIGKILL');
}
