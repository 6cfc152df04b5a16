import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { SourceError } from '../source-error.ts';
import { redactText } from '../../platform/text/redact.ts';

/** What a hook or another git above us has set would lead to another repository. */
const foreign =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|CEILING_DIRECTORIES|PREFIX|CONFIG.*|EXTERNAL_DIFF|PAGER|EDITOR)$/;

/** No questions at a terminal, no transports that run commands, no language but English in messages. */
function gitEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !foreign.test(name)));
  return {
    ...own,
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GCM_INTERACTIVE: 'never',
    GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file',
    GIT_OPTIONAL_LOCKS: '0',
    SSH_ASKPASS_REQUIRE: 'never',
    LC_ALL: 'C',
  };
}

/** Before every command: nothing that a repository's own config could have us run, and no transfer that never ends. */
const gitOptions: readonly string[] = [
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'log.showSignature=false',
  '-c',
  'protocol.ext.allow=never',
  '-c',
  'http.lowSpeedLimit=100',
  '-c',
  'http.lowSpeedTime=60',
  '-c',
  'gc.auto=0',
];

export interface GitRun {
  /** The repository, which is never looked for anywhere else. */
  repository: string;
  args: readonly string[];
  signal: AbortSignal;
  /** Settings that hold secrets: neither other users of this machine nor the repository get to see them. */
  settings?: Readonly<Record<string, string>>;
  input?: string;
  /** For outputs that are long: called with each part, which is then not kept. False ends git early. */
  onOutput?: (chunk: Buffer) => boolean;
}

const KEPT_ERRORS = 8_192;
const ownSession = process.platform !== 'win32';

/** In a session of its own: ssh then has no terminal at which it could wait for an answer. */
export function startGit(
  repository: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): ChildProcessWithoutNullStreams {
  const entries = Object.entries(settings);
  const configured = entries.flatMap(([key, value], at): [string, string][] => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return spawn('git', [...gitOptions, '--git-dir', repository, ...args], {
    cwd: repository,
    env: {
      ...gitEnvironment(process.env),
      GIT_CONFIG_COUNT: String(entries.length),
      ...Object.fromEntries(configured),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: ownSession,
    windowsHide: true,
  });
}

/** With those that it has started. */
export function stopGit({ pid, exitCode }: ChildProcessWithoutNullStreams): void {
  if (pid === undefined || exitCode !== null) return;
  try {
    process.kill(ownSession ? -pid : pid, 'SIGTERM');
  } catch {
    // It has ended by itself.
  }
}

/** Runs git without a shell. Rejects with a `GitError` where it fails. */
export function runGit(run: GitRun): Promise<string> {
  const { repository, args, signal, settings = {}, input, onOutput } = run;
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(new SourceError('was stopped'));
      return;
    }
    const child = startGit(repository, args, settings);
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
    // Git may end before it has read everything; what it says about that comes with its end.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
    child.on('error', (error) => {
      signal.removeEventListener('abort', stop);
      reject(
        new SourceError(`git could not be started (${error.message}): install git, or put it into the PATH`),
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
    super(said === '' ? `git ended with ${exitCode}` : said);
    this.exitCode = exitCode;
  }
}
