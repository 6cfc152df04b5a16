import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * When a process began, as a text to compare: ids are used again, but never twice with the same beginning. Null when
 * there is no such process, and where nobody can say (Windows).
 */
export async function processStart(pid: number): Promise<string | null> {
  try {
    if (process.platform === 'linux') return await fromProc(pid);
    if (process.platform === 'win32') return null;
    const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)], { env: { LC_ALL: 'C' } });
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
  // The name of the program, in brackets, may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, ticks] = [fields[0], fields[19]];
  // One that has ended and was not waited for yet is as good as gone.
  return ticks === undefined || state === 'Z' ? null : `${boot.trim()} ${ticks}`;
}
