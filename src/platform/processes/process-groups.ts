import type { ChildProcess } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';

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
  // Windows has no process groups of this kind.
  return signalProcess(process.platform === 'win32' ? pid : -pid, signal);
}

/** False if the process is gone. */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Processes of a group whose environment contains the variable. Empty where the system does not show it. */
export async function groupMembers(group: number, variable: string): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const found = await Promise.all(
    names.filter((name) => /^\d+$/.test(name)).map((name) => isMember(name, group, variable)),
  );
  return found.flatMap((pid) => pid ?? []);
}

async function isMember(name: string, group: number, variable: string): Promise<number | null> {
  try {
    const stat = await readFile(`/proc/${name}/stat`, 'utf8');
    // The program's name, in parentheses, may contain spaces and parentheses.
    const [, , of] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(of) !== group) return null;
    const env = (await readFile(`/proc/${name}/environ`, 'utf8')).split('\0');
    return env.includes(variable) ? Number(name) : null;
  } catch {
    // It has exited, or belongs to another user.
    return null;
  }
}

function killAll(): void {
  for (const pid of groups) signalGroup(pid, 'SIGKILL');
}
