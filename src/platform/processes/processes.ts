import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import spawn from 'cross-spawn';
import type { Environment } from '../home/paths.ts';
import { findProgram } from './find-program.ts';
import { inheritedEnv } from './inherited-env.ts';
import { signalGroup, trackGroup } from './process-groups.ts';
import { createProcessRecords, MARK, type Orphan } from './process-records.ts';
import { createTail, secretsOf } from './tail.ts';

const GRACE_MS = 1500;
/** The last output may arrive shortly after the exit. */
const LAST_OUTPUT_MS = 20;

/** A program to start. Its environment may contain secrets. */
export interface ProcessLaunch {
  command: string;
  args: readonly string[];
  /** Added to what every program inherits; wins over it. */
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** False for a program that gets `env` and nothing else. */
  inherits?: boolean;
  /** Values to mask in its output, besides those in `env` whose names say secret. */
  secrets?: readonly string[];
}

/** How a process ended; `error` is set if it never started. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  error: Error | null;
}

/** Thrown by `write`: nothing of it was written. */
export class ProcessEnded extends Error {}

/** A child process that leads its own process group, so that everything it starts ends with it. */
export interface RunningProcess {
  readonly pid: number;
  readonly stdout: Readable;
  /** Resolves once the process can take more input. Rejects with `ProcessEnded` if it has ended. */
  write(text: string): Promise<void>;
  /** For programs that read all of their input before they answer. */
  endInput(): void;
  /** Keeps other output for `said`, next to standard error, which is always kept. */
  note(text: string): void;
  /** The last lines of its output, without secrets. */
  said(): string;
  exit(): Exit | null;
  readonly ended: Promise<Exit>;
  /** Closes its input, then ends the whole group: SIGTERM first, SIGKILL after a grace period. */
  stop(): Promise<void>;
}

/**
 * Starts the child processes of the hub: upstream servers and team members. None of them outlives it. Those of a hub
 * that was killed are ended by the next one, from records on disk.
 */
export interface Processes {
  /** Rejects with the system's error if the program cannot be started. */
  start(launch: ProcessLaunch): Promise<RunningProcess>;
  /** Kills processes whose hub is gone. Call it before starting anything that may need their ports or files. */
  endOrphans(): Promise<Orphan[]>;
  /** Resolves once all records are written or removed. */
  settled(): Promise<void>;
}

/** `folder` holds the records; `env` is the hub's environment, of which children inherit a harmless part. */
export function createProcesses(folder: string, env: Environment): Processes {
  const records = createProcessRecords(folder);
  const inherited = inheritedEnv(env);
  return {
    async start(launch) {
      // Looked up before the launch's own variables apply: its PATH must not swap the program that was approved.
      const file = await findProgram(launch.command, env, launch.cwd);
      if (file === null) throw Object.assign(new Error(`${launch.command} not found`), { code: 'ENOENT' });
      const mark = randomUUID();
      const child = spawn(file, [...launch.args], {
        env: { ...(launch.inherits === false ? {} : inherited), ...launch.env, [MARK]: mark },
        cwd: launch.cwd,
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
      trackGroup(child);
      records.add(child, launch.command, mark);
      return follow(child, [...secretsOf(launch.env), ...(launch.secrets ?? [])]);
    },
    endOrphans: () => records.endOrphans(),
    settled: () => records.settled(),
  };
}

function follow(child: ChildProcess, secrets: readonly string[]): Promise<RunningProcess> {
  const { stdin, stdout, stderr } = child;
  const tail = createTail(secrets);
  let exit: Exit | null = null;
  const ended = new Promise<Exit>((resolve) => {
    const end = (how: Exit): void => {
      exit ??= how;
      resolve(exit);
    };
    // Every error needs a listener, or it crashes the hub. A running process may report one for a failed signal.
    child.on('error', (error) => child.pid === undefined && end({ code: null, signal: null, error }));
    // Not `close`: a grandchild that inherited the pipes would delay it.
    child.once('exit', (code, signal) => {
      setTimeout(() => end({ code, signal, error: null }), LAST_OUTPUT_MS);
    });
  });
  for (const stream of [stdin, stdout, stderr]) stream?.on('error', () => undefined);
  stderr?.setEncoding('utf8').on('data', (text: string) => tail.add(text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => {
      const { pid } = child;
      if (pid === undefined || !stdin || !stdout) return reject(new Error('the process has no pipes'));
      const gone = ended.then(() => undefined);
      resolve({
        pid,
        stdout,
        write: createWriter(stdin, () => exit !== null),
        endInput: () => void stdin.end(),
        note: (text) => tail.add(text),
        said: () => tail.text(),
        exit: () => exit,
        ended,
        stop: async () => (exit ? undefined : stopGroup(pid, stdin, gone)),
      });
    });
  });
}

/** More writes than this do not wait for one another: the process could already work on the first. */
const MOST_JOINED = 8;

/**
 * Writes of one turn of the event loop leave in few system calls, which saves the reader most of its wake-ups. All
 * writes that wait for a slow reader share one pair of listeners.
 */
function createWriter(stdin: Writable, hasEnded: () => boolean): RunningProcess['write'] {
  let joined: { texts: string[]; leave(): void; left: Promise<void> } | null = null;
  let draining: Promise<void> | null = null;
  const drain = (): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        draining = null;
        stdin.off('drain', done).off('close', done);
        resolve();
      };
      stdin.on('drain', done).on('close', done);
    });
  async function writeNow(text: string): Promise<void> {
    if (!stdin.writable || hasEnded()) throw new ProcessEnded('the process has exited');
    if (!stdin.write(text)) await (draining ??= drain());
  }
  function join(): NonNullable<typeof joined> {
    const texts: string[] = [];
    let leave = (): void => undefined;
    const left = new Promise<void>((resolve) => {
      leave = () => {
        clearImmediate(timer);
        joined = null;
        resolve(writeNow(texts.join('')));
      };
    });
    const timer = setImmediate(() => leave());
    return { texts, leave, left };
  }
  return (text) => {
    joined ??= join();
    const { texts, leave, left } = joined;
    texts.push(text);
    if (texts.length >= MOST_JOINED) leave();
    return left;
  };
}

async function stopGroup(pid: number, stdin: Writable, gone: Promise<void>): Promise<void> {
  stdin.end();
  if (await within(gone, GRACE_MS / 3)) return;
  signalGroup(pid, 'SIGTERM');
  if (await within(gone, GRACE_MS)) return;
  signalGroup(pid, 'SIGKILL');
  await within(gone, GRACE_MS);
}

async function within(promise: Promise<void>, ms: number): Promise<boolean> {
  const late = new AbortController();
  const timeout = sleep(ms, false, { signal: late.signal }).catch(() => false);
  const inTime = await Promise.race([promise.then(() => true), timeout]);
  late.abort();
  return inTime;
}
