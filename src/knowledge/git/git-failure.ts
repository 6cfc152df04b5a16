import { SourceError } from '../source-error.ts';
import type { GitLocation } from './git-location.ts';
import { GitError } from './run-git.ts';

type Explain = (location: GitLocation, branch: string | null) => string;

const causes: readonly (readonly [RegExp, Explain])[] = [
  [
    /couldn't find remote ref|remote branch .* not found/i,
    ({ shown }, branch) => `branch '${branch ?? 'HEAD'}' not found in ${shown}. Check \`branch\``,
  ],
  [
    /host key verification failed/i,
    ({ shown }) => `the ssh host key of ${shown} is unknown. Connect once by hand and accept it`,
  ],
  [
    /could not read (?:username|password)|authentication failed|terminal prompts disabled|permission denied \(|http basic|returned error: 40[13]|access denied/i,
    ({ shown }) =>
      `login to ${shown} failed. Log in with git once (git ls-remote ${shown}), or put a token into \`url\` with \${VARIABLE}`,
  ],
  [
    /could not resolve host|connection refused|connection timed out|network is unreachable|failed to connect|operation too slow|connection reset/i,
    ({ shown }) => `${shown} could not be reached: check the URL and the network`,
  ],
  [
    /repository .*not found|does not appear to be a git repository|does not exist|returned error: 404|no such file or directory|not a git repository/i,
    ({ shown }) => `${shown} is not a repository, or you may not read it: check \`url\``,
  ],
];

/** Translates an error message of git into a cause and a remedy. Other errors are returned unchanged. */
export function explainGitFailure(error: unknown, location: GitLocation, branch: string | null): unknown {
  if (!(error instanceof GitError)) return error;
  const cause = causes.find(([pattern]) => pattern.test(error.message));
  if (cause) return new SourceError(cause[1](location, branch));
  const said = /^(?:fatal|error): (.*)$/m.exec(error.message)?.[1] ?? error.message.split('\n', 1)[0];
  return new SourceError(
    `git could not fetch ${location.shown}: ${said?.replaceAll(location.url, location.shown)}`,
  );
}

/** Whether the error can only mean that our copy is broken or was left locked. */
export function isBrokenCopy(error: unknown): boolean {
  return error instanceof GitError && !causes.some(([pattern]) => pattern.test(error.message));
}
