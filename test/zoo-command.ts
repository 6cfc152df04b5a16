import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tempFolder } from './temp-folder.ts';
import { run } from '../src/surfaces/cli/run.ts';

const programFile = fileURLToPath(new URL('../dist/zoo.js', import.meta.url));

const elsewhere = (): Promise<never> => Promise.reject(new Error('this is tested as a process of its own'));

export interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

/** These commands are processes by nature. */
const SERVING = new Set(['serve', 'mcp', 'acp']);

interface CommandOptions {
  input?: string;
  env?: object;
}

/** For tests: homes of their own, and the command on them, in this process or as the built program. */
export async function tempHome(files: Record<string, string> = {}) {
  const folder = await tempFolder(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`work/${name}`, text])),
  );
  const work = join(folder.path, 'work');
  mkdirSync(work, { recursive: true });
  const env: Record<string, string | undefined> = {
    PATH: process.env['PATH'],
    TMPDIR: process.env['TMPDIR'],
    HOME: folder.path,
    ZOO_HOME: join(folder.path, 'home'),
    ZOO_CONFIG_DIR: join(folder.path, 'config'),
    CI: '1',
  };
  const running: ChildProcess[] = [];

  /** The command in this process; with `answers`, somebody sits at the terminal, which may have a width. */
  const inProcess = async (
    args: readonly string[],
    options: CommandOptions & { answers?: (string | (() => Promise<string>))[]; columns?: number } = {},
  ) => {
    const outcome: Outcome = { code: null, out: '', err: '' };
    const answers = options.answers && [...options.answers];
    const ask = async (question: string): Promise<string> => {
      outcome.err += `${question}\n`;
      const answer = answers?.shift() ?? '';
      return typeof answer === 'string' ? answer : answer();
    };
    const asker = {
      ask,
      text: ask,
      secret: ask,
      choose: ask,
      chooseMany: async (question: string) => (await ask(question)).split(',').filter((part) => part !== ''),
    };
    const stream = { isTTY: options.columns !== undefined, columns: options.columns ?? 80 };
    outcome.code = await run(args, {
      env: { ...env, ...options.env },
      cwd: work,
      terminal: {
        out: { ...stream, write: (text) => void (outcome.out += text) },
        err: { ...stream, write: (text) => void (outcome.err += text) },
        asker: answers ? asker : null,
        readInput: async () => options.input ?? '',
      },
      surfaces: {
        startHttp: elsewhere,
        startSocket: elsewhere,
        runBridge: elsewhere,
        runAcpBridge: elsewhere,
      },
    });
    return outcome;
  };

  const start = (args: readonly string[], options: { env?: object } = {}): ChildProcess => {
    const child = spawn(process.execPath, [programFile, ...args], {
      cwd: work,
      env: { ...env, ...options.env },
    });
    running.push(child);
    return child;
  };

  /** The built program, as a user runs it. */
  const program = (args: readonly string[], options: CommandOptions = {}): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      const child = start(args, options);
      const outcome: Outcome = { code: null, out: '', err: '' };
      child.stdout?.setEncoding('utf8').on('data', (text: string) => (outcome.out += text));
      child.stderr?.setEncoding('utf8').on('data', (text: string) => (outcome.err += text));
      child.stdin?.end(options.input ?? '');
      child.once('error', reject);
      child.once('close', (code) => resolve({ ...outcome, code }));
    });

  /**
   * A command without a terminal, in this process where it can be: Node takes twenty times as long to start. Paths
   * are relative to the folder of a process, and so a command that names a file is one of its own.
   */
  const zoo = (args: readonly string[], options: CommandOptions = {}): Promise<Outcome> =>
    args.some((word) => SERVING.has(word) || existsSync(join(work, word)))
      ? program(args, options)
      : inProcess(args, options);

  /** `zoo serve` on any free port; resolves when it has said where. */
  const serve = (
    args: readonly string[] = [],
  ): Promise<{ url: string; child: ChildProcess; said: () => string }> =>
    new Promise((resolve, reject) => {
      const child = start(['serve', '--port', '0', '--no-open', ...args]);
      let said = '';
      const listen = (text: string): void => {
        said += text;
        const url = /running at (http:\S+)/.exec(said)?.[1];
        if (url && said.includes('Ctrl-C')) resolve({ url, child, said: () => said });
      };
      child.stdout?.setEncoding('utf8').on('data', listen);
      child.stderr?.setEncoding('utf8').on('data', listen);
      child.once('exit', () => reject(new Error(`serve ended: ${said}`)));
    });

  return {
    path: folder.path,
    work,
    env,
    inProcess,
    start,
    program,
    zoo,
    serve,
    write: (name: string, text: string) => folder.write(`work/${name}`, text),
    async [Symbol.asyncDispose]() {
      await Promise.all(
        running
          .filter((child) => child.exitCode === null && child.signalCode === null)
          .map(
            (child) =>
              new Promise((resolve) => {
                child.once('exit', resolve);
                child.kill('SIGKILL');
              }),
          ),
      );
      await folder[Symbol.asyncDispose]();
    },
  };
}
