import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const GIT_MS = 5_000;

/** What the user leaves out of all repositories (`core.excludesFile`); null where there is no such list. */
export function userIgnoreList(env = process.env): string | null {
  try {
    const home = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config');
    const file = namedList(env) ?? join(home, 'git', 'ignore');
    // Often a link, unlike those in a repository; one that cannot be read leaves nothing out, as with git.
    return statSync(file).isFile() ? readFileSync(file, 'utf8') : null;
  } catch {
    return null;
  }
}

/** Asked of the user's own settings alone, so it needs no repository, and none can name a file. */
function namedList(env: NodeJS.ProcessEnv): string | null {
  try {
    const said = execFileSync('git', ['config', '--global', '--path', '--get', 'core.excludesFile'], {
      // Otherwise git looks for a repository around the folder that we were started in, and reads its config.
      env: { ...env, GIT_DIR: '/dev/null' },
      encoding: 'utf8',
      timeout: GIT_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return said.replace(/\n$/, '') || null;
  } catch {
    // It says nothing, or there is no git.
    return null;
  }
}
