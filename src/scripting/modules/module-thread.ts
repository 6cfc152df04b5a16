import { basename } from 'node:path';
import type { WorkerOptions } from 'node:worker_threads';
import { ZooError } from '../../contract/errors.ts';
import { SearchQuery } from '../../contract/knowledge.ts';
import { parse } from '../../contract/parse.ts';
import { workerFile } from '../../platform/processes/worker-file.ts';
import { startWorkerThread } from '../../platform/processes/worker-thread.ts';
import type {
  FromModule,
  HostFunction,
  ModuleFailure,
  ModuleThreadData,
  ToModule,
} from './module-messages.ts';
import type { Json, ScriptFile, ScriptHost, ScriptLog, ScriptResult } from '../sandbox.ts';
import { asError, messageOf } from '../../platform/text/error-message.ts';

/** The thread was lost because of another call. */
export class ThreadLost extends Error {}

export interface ModuleWork {
  request: { type: 'describe' } | { type: 'resolve'; args: Json; config: Json };
  host: ScriptHost;
  signal: AbortSignal;
  onLog?: ((line: ScriptLog) => void) | undefined;
}

export interface ModuleDone extends ScriptResult {
  /** The author's files loaded so far. */
  files: string[];
}

/** One version of a module in a worker thread. Calls run concurrently. */
export interface ModuleThread {
  run(work: ModuleWork): Promise<ModuleDone>;
  /** False while draining. */
  fit(): boolean;
  busy(): boolean;
  end(): Promise<void>;
}

/** A call that runs in a thread. */
interface Running {
  work: ModuleWork;
  /** The timeout starts here. */
  start(): void;
  /** From here on, the caller may cancel it. */
  follow(): void;
  started(): boolean;
  abort: AbortController;
  startedAt: number;
  logs: ScriptLog[];
  hostCalls: ScriptResult['hostCalls'];
  settle(outcome: { value: ModuleDone } | { error: Error }): void;
}

/** How long a thread may be silent before it counts as stuck: after a call timed out, and otherwise. */
const LAST_CHANCE_MS = 250;
const SILENCE_MS = 1000;
/** Time limit for loading a module: starting its thread, and everything it imports. */
const LOADING_MS = 30_000;
const LOG_LINES = 1000;

export function startModuleThread(
  script: ScriptFile,
  onStray: (level: ScriptLog['level'], message: string) => void,
): ModuleThread {
  const running = new Map<number, Running>();
  let sequence = 0;
  let retired = false;
  let loaded = false;
  let silence: NodeJS.Timeout | undefined;
  const send = (message: ToModule): void => thread.post(message);

  const thread = startWorkerThread<ToModule, FromModule>('module-worker', optionsOf(script), {
    onMessage(message) {
      listen();
      if (message.type === 'pong') return;
      const run = message.id === null ? undefined : running.get(message.id);
      if (message.type === 'started') loaded = true;
      if (run) receive(run, message, send);
      else if (message.type === 'log') onStray(message.level, message.message);
    },
    onLost: (error) => lose(error ? lossOf(script, error) : failure(script, 'it exited its thread')),
  });
  for (const [stream, level] of [
    [thread.stdout, 'info'],
    [thread.stderr, 'warn'],
  ] as const) {
    stream.setEncoding('utf8').on('data', (text: string) => onStray(level, text.trimEnd()));
  }

  function lose(error: Error): void {
    retired = true;
    clearTimeout(silence);
    for (const run of running.values()) run.settle({ error });
  }

  /** A thread with work must send heartbeats; loading may take longer. */
  function listen(): void {
    clearTimeout(silence);
    if (retired || !loaded || running.size === 0) return;
    silence = setTimeout(() => {
      send({ type: 'ping' });
      silence = setTimeout(stuck, SILENCE_MS);
    }, SILENCE_MS);
  }

  /** Calls that have not started are moved elsewhere; the others may finish in time. */
  function stuck(): void {
    retired = true;
    for (const run of running.values()) {
      if (!run.started()) run.settle({ error: new ThreadLost('the thread is stuck') });
    }
  }

  /** Stops giving it work. If it still responds, the other calls in it may finish. */
  function retire(): void {
    retired = true;
    clearTimeout(silence);
    silence = setTimeout(() => {
      lose(new ThreadLost('another call took the thread down'));
      void thread.terminate();
    }, LAST_CHANCE_MS);
    send({ type: 'ping' });
  }

  return {
    fit: () => !retired,
    busy: () => running.size > 0,
    end: async () => {
      lose(new ThreadLost('the thread was stopped'));
      await thread.terminate();
    },
    run: (work) =>
      new Promise((resolve, reject) => {
        if (retired) return reject(new ThreadLost('the thread has exited'));
        const id = (sequence += 1);
        const run = createRun(script, work, {
          resolve,
          reject,
          tooLong: retire,
          left: () => send({ type: 'abort', id }),
          settled() {
            running.delete(id);
            if (running.size > 0) return;
            thread.setBusy(false);
            if (retired) void thread.terminate();
          },
        });
        running.set(id, run);
        thread.setBusy(true);
        send({ ...work.request, id });
        if (running.size === 1) listen();
        run.follow();
        return undefined;
      }),
  };
}

function optionsOf({ path, approved, limits }: ScriptFile): WorkerOptions {
  return {
    workerData: { path, agentPackage: agentPackage(), approved } satisfies ModuleThreadData,
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(limits.memoryBytes / 2 ** 20) },
    // Output that bypasses `console` must not mix with a command's own output.
    stdout: true,
    stderr: true,
  };
}

/** What a module says about one of its calls. */
function receive(
  run: Running,
  message: Exclude<FromModule, { type: 'pong' }>,
  send: (message: ToModule) => void,
): void {
  switch (message.type) {
    case 'started':
      return run.start();
    case 'log':
      return note(run, message);
    case 'host':
      return void answerHost(run, message, send);
    case 'done':
      return run.settle({ value: resultOf(run, message.value, message.files) });
    case 'failed':
      return run.settle({ error: toError(message.failure) });
  }
}

function lossOf(script: ScriptFile, error: Error & { code?: string }): ZooError {
  const memory = Math.round(script.limits.memoryBytes / 2 ** 20);
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? failure(script, `it exceeded its memory limit of ${memory} MB`)
    : failure(script, messageOf(error));
}

interface RunEnds {
  resolve(value: ModuleDone): void;
  reject(error: Error): void;
  tooLong(): void;
  /** The caller has cancelled it; the module may take a while to notice. */
  left(): void;
  settled(): void;
}

function createRun(script: ScriptFile, work: ModuleWork, ends: RunEnds): Running {
  const abort = new AbortController();
  let begun = false;
  const tooLong = (): void => {
    ends.tooLong();
    settle({ error: timeoutOf(script, begun) });
  };
  let timer = setTimeout(tooLong, LOADING_MS);
  const leave = (): void => {
    abort.abort(work.signal.reason);
    ends.left();
    ends.reject(asError(work.signal.reason));
  };
  function settle(outcome: { value: ModuleDone } | { error: Error }): void {
    clearTimeout(timer);
    work.signal.removeEventListener('abort', leave);
    ends.settled();
    abort.abort();
    if ('value' in outcome) ends.resolve(outcome.value);
    else ends.reject(outcome.error);
  }
  return {
    work,
    abort,
    startedAt: performance.now(),
    logs: [],
    hostCalls: {},
    settle,
    started: () => begun,
    start() {
      begun = true;
      clearTimeout(timer);
      timer = setTimeout(tooLong, script.limits.timeoutMs);
    },
    follow() {
      if (work.signal.aborted) leave();
      else work.signal.addEventListener('abort', leave, { once: true });
    },
  };
}

function note(run: Running, { level, message }: Pick<ScriptLog, 'level' | 'message'>): void {
  if (run.logs.length >= LOG_LINES) return;
  const line = { level, message, atMs: performance.now() - run.startedAt };
  run.logs.push(line);
  run.work.onLog?.(line);
}

async function answerHost(
  run: Running,
  { call, name, argument }: Extract<FromModule, { type: 'host' }>,
  send: (message: ToModule) => void,
): Promise<void> {
  const startedAt = performance.now();
  try {
    const value = await askHost(run.work.host, name, argument, run.abort.signal);
    send({ type: 'answer', call, value });
  } catch (error) {
    send({ type: 'refuse', call, message: messageOf(error) });
  } finally {
    const counted = (run.hostCalls[`context.${name}`] ??= { count: 0, ms: 0 });
    counted.count += 1;
    counted.ms += performance.now() - startedAt;
  }
}

function timeoutOf({ path, limits }: ScriptFile, begun: boolean): ZooError {
  const seconds = (begun ? limits.timeoutMs : LOADING_MS) / 1000;
  const message = `${basename(path)} timed out after ${seconds} s${begun ? '' : ' while loading'}`;
  return new ZooError('timeout', message, { file: path, line: null, traceback: [] });
}

/** The one of this program, not one installed in the module's folder. */
const agentPackage = (): string =>
  workerFile('module-worker').replace(/workers[\\/]module-worker\.mjs$/, 'agent.mjs');

function resultOf({ startedAt, logs, hostCalls }: Running, value: Json, files: string[]): ModuleDone {
  return { value, files, logs, hostCalls, tookMs: performance.now() - startedAt };
}

/** A function of the hub, with its argument as a module gave it. */
async function askHost(
  host: ScriptHost,
  name: HostFunction,
  argument: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  if (name === 'search') return host.search(parse(SearchQuery, argument), signal);
  return name === 'get' ? host.get(String(argument), signal) : host.sources(signal);
}

function toError({ code, message, file, line, traceback, issues }: ModuleFailure): ZooError {
  return new ZooError(code, message, {
    file,
    line,
    traceback,
    ...(issues === undefined ? {} : { issues }),
  });
}

function failure({ path }: ScriptFile, message: string): ZooError {
  return new ZooError('agent_error', `${basename(path)}: ${message}`, {
    file: path,
    line: null,
    traceback: [],
  });
}
