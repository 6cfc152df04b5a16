import { isAbsolute, resolve } from 'node:path';
import which from 'which';
import type { Environment } from '../home/paths.ts';

/**
 * The file that a command stands for, looked up on the PATH of `env`; null if there is none. Like a shell, it skips
 * folders on the PATH that are missing or unreadable. A command with a slash is a path, relative to `cwd`.
 */
export async function findProgram(command: string, env: Environment, cwd: string): Promise<string | null> {
  if (/[/\\]/.test(command)) return isAbsolute(command) ? command : resolve(cwd, command);
  const path = env['PATH'] ?? env['Path'] ?? '';
  const pathExt = env['PATHEXT'];
  return which(command, { path, nothrow: true, ...(pathExt !== undefined && { pathExt }) });
}
