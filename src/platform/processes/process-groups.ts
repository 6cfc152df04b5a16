import type { ChildProcess } from 'node:child_process';

const groups = new Set<number>();

/** Kills the process group of a child when the child exits, and when this process exits for any reason. */
export function trackGroup(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (groups.size === 0) process.on('exit', killAll);
  groups.add(pid);
  child.once('exit', () => {
    signalGroup(pid, 'SIGKILL');
    groups.delete(pid);
    if (groups.size === 0) process.off('exit', killAll);
  });
}

/** False if the group is gone. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    // Windows has no process groups of this kind.
    return process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    return false;
  }
}

function killAll(): void {
  for (const pid of groups) signalGroup(pid, 'SIGKILL');
}
