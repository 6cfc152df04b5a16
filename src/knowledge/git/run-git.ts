import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { SourceError } from '../source-error.ts';
import { redactText } from '../../platform/text/redact.ts';

/**
 * Access of a git process. `nothing`: only the repository, with none of the user's settings. `remote`: an
 * approved address, with the settings of the user (and of the machine) for credentials, proxies, ssh and
 * `url.insteadOf`: these are the user's own, no repository can write them, and private remotes need them.
 */
export type GitReach = 'nothing' | 'remote';

/** Environment variables for connections. */
const connects =
  /^GIT_(?:SSH|SSH_COMMAND|SSH_VARIANT|SSL_.*|HTTP_.*|PROXY_.*|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM))$/;

/** No other repository, no questions at a terminal, no transports that run commands, messages in English. */
function gitEnvironment(env: NodeJS.ProcessEnv, reach: GitReach): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name]) => !name.toUpperCase().startsWith('GIT_') || (reach === 'remote' && connects.test(name)),
  );
  return {
    ...Object.fromEntries(kept),
    ...(reach === 'remote'
      ? { GIT_ALLOW_PROTOCOL: 'https:http:ssh:git' }
      : {
          GIT_CONFIG_NOSYSTEM: '1',
          GIT_CONFIG_GLOBAL: '/dev/null',
          GIT_NO_LAZY_FETCH: '1',
          GIT_ALLOW_PROTOCOL: 'none',
        }),
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    SSH_ASKPASS_REQUIRE: 'never',
    GCM_INTERACTIVE: 'never',
    GIT_OPTIONAL_LOCKS: '0',
    LC_ALL: 'C',
  };
}

/** Overrides all config files: no commands, and a timeout for stalled transfers. */
const fixedSettings: Readonly<Record<string, string>> = {
  'safe.bareRepository': 'explicit',
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.attributesFile': '/dev/null',
  'protocol.allow': 'never',
  'protocol.ext.allow': 'never',
  'protocol.file.allow': 'never',
  'submodule.recurse': 'false',
  'transfer.bundleURI': 'false',
  'log.showSignature': 'false',
  'http.lowSpeedLimit': '100',
  'http.lowSpeedTime': '60',
  'gc.auto': '0',
  'maintenance.auto': 'false',
};

export interface GitRun {
  /** A bare repository that we created; git never searches for another one. */
  repository: string;
  reach: GitReach;
  args: readonly string[];
  signal: AbortSignal;
  /** Settings with secrets, hidden from the repository and from other users of this machine. */
  settings?: Readonly<Record<string, string>>;
  input?: string;
  /** For long output: called with each part instead of collecting it. Return false to stop git early. */
  onOutput?: (chunk: Buffer) => boolean;
}

const KEPT_ERRORS = 8_192;
const ownSession = process.platform !== 'win32';

/** Starts git in its own session, so that ssh has no terminal for prompts. */
export function startGit({
  repository,
  reach,
  args,
  settings = {},
}: Pick<GitRun, 'repository' | 'reach' | 'args' | 'settings'>): ChildProcessWithoutNullStreams {
  const entries = Object.entries({ ...fixedSettings, ...settings });
  const configured = entries.flatMap(([key, value], at): [string, string][] => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return spawn('git', ['--git-dir', repository, ...args], {
    cwd: repository,
    env: {
      ...gitEnvironment(process.env, reach),
      GIT_CONFIG_COUNT: String(entries.length),
      ...Object.fromEntries(configured),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: ownSession,
    windowsHide: true,
  });
}

/** Kills git and its child processes. */
export function stopGit({ pid, exitCode }: ChildProcessWithoutNullStreams): void {
  if (pid === undefined || exitCode !== null) return;
  try {
    process.kill(ownSession ? -pid : pid, 'SIGTERM');
  } catch {
    // It has already exited.
  }
}

/** Runs git without a shell. Rejects with a `GitError` if it fails. */
export function runGit(run: GitRun): Promise<string> {
  const { signal, input, onOutput } = run;
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(new SourceError('was stopped'));
      return;
    }
    const child = startGit(run);
    const stop = () => stopGit(child);
    signal.addEventListener('abort', stop, { once: true });
    const output: Buffer[] = [];
    let errors = '';
    let enough = false;
    child.stdout.on('data', (chunk: Buffer) => {
      if (!onOutput) output.push(chunk);
      else if (!enough && !onOutput(chunk)) {
        enough = true;
        stop();
      }
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      errors = (errors + chunk).slice(-KEPT_ERRORS);
    });
    // Git may exit before it has read all input; its exit code reports why.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
    child.on('error', (error) => {
      signal.removeEventListener('abort', stop);
      reject(
        new SourceError(`git could not be started (${error.message}). Install git, or add it to the PATH`),
      );
    });
    child.on('close', (code) => {
      signal.removeEventListener('abort', stop);
      if (enough || code === 0) resolve(Buffer.concat(output).toString());
      else if (signal.aborted) reject(new SourceError('was stopped'));
      else reject(new GitError(code, redactText(errors.trim())));
    });
  });
}

export class GitError extends Error {
  readonly exitCode: number | null;

  constructor(exitCode: number | null, said: string) {
    super(said === '' ? `git exited with ${exitCode}` : said);
    this.exitCode = exitCode;
  }
}
