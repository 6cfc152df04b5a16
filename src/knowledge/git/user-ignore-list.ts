import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const GIT_MS = 5_000;

/** The user's own ignore list for all repositories (`core.excludesFile`); null if there is none. */
export function userIgnoreList(env = process.env): string | null {
  try {
    const home = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config');
    const file = namedList(env) ?? join(home, 'git', 'ignore');
    // Links are fine here. As in git, an unreadable list has no effect.
    return statSync(file).isFile() ? readFileSync(file, 'utf8') : null;
  } catch {
    return null;
  }
}

/** From the user's global settings only: a repository must not be able to name a file. */
function namedList(env: NodeJS.ProcessEnv): string | null {
  try {
    const said = execFileSync('git', ['config', '--global', '--path', '--get', 'core.excludesFile'], {
      // Otherwise git reads the config of a repository around the current folder.
      env: { ...env, GIT_DIR: '/dev/null' },
      encoding: 'utf8',
      timeout: GIT_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return said.replace(/\n$/, '') || null;
  } catch {
    // Not set, or git is not installed.
    return null;
  }
}
