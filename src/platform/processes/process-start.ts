import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * The start time of a process, as text to compare. The system reuses process ids, but never with the same start time.
 * Null if there is no such process, and on Windows.
 */
export async function processStart(pid: number): Promise<string | null> {
  try {
    if (process.platform === 'linux') return await fromProc(pid);
    if (process.platform === 'win32') return null;
    const args = ['-o', 'lstart=', '-p', String(pid)];
    const { stdout } = await promisify(execFile)('ps', args, { env: { LC_ALL: 'C' } });
    return stdout.trim() || null;
  } catch {
    return null;
  }
}

async function fromProc(pid: number): Promise<string | null> {
  const [stat, boot] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
  ]);
  // The program's name, in parentheses, may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, ticks] = [fields[0], fields[19]];
  // A zombie has already exited.
  return ticks === undefined || state === 'Z' ? null : `${boot.trim()} ${ticks}`;
}
