import type { StartProcess } from '../sandbox/sandbox.ts';

const TIMEOUT_MS = 60_000;
const MOST_OUTPUT = 4 * 1024 * 1024;

export interface GitResult {
  code: number | null;
  text: string;
  errors: string;
}

/** Settings that beat those of the repository: nothing of it runs. */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'commit.gpgSign=false',
  'user.name=Agent Zoo',
  'user.email=agent-zoo@localhost',
].flatMap((setting) => ['-c', setting]);

/** Runs git in a folder. Members can write to its repository, so `start` has to confine it like the member itself. */
export async function runGit(
  start: StartProcess,
  folder: string,
  args: readonly string[],
): Promise<GitResult> {
  const child = await start({
    command: 'git',
    args: [...SETTINGS, ...args],
    env: { GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' },
    cwd: folder,
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    if (text.length < MOST_OUTPUT) text += part;
  });
  const late = setTimeout(() => void child.stop(), TIMEOUT_MS);
  const { code } = await child.ended;
  clearTimeout(late);
  return { code, text, errors: child.said() };
}

/** Throws what git says if it fails. */
export async function requireGit(
  start: StartProcess,
  folder: string,
  args: readonly string[],
): Promise<string> {
  const { code, text, errors } = await runGit(start, folder, args);
  if (code === 0) return text;
  throw new Error(`git ${args[0]} failed: ${errors || text || `exit code ${code}`}`);
}
