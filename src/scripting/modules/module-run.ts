import { basename } from 'node:path';
import { ZooError } from '../../contract/errors.ts';
import { SearchQuery } from '../../contract/knowledge.ts';
import { parse } from '../../contract/parsing/parse.ts';
import { asError, messageOf } from '../../platform/text/error-message.ts';
import type { Json, ScriptFile, ScriptHost, ScriptLog, ScriptResult } from '../sandbox.ts';
import type { FromModule, HostFunction, ModuleFailure, ToModule } from './module-messages.ts';

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

/** A call that runs in a thread. */
export interface Running {
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

/** Time limit for loading a module: starting its thread, and everything it imports. */
const LOADING_MS = 30_000;
const LOG_LINES = 1000;

interface RunEnds {
  resolve(value: ModuleDone): void;
  reject(error: Error): void;
  tooLong(): void;
  /** The caller has cancelled it; the module may take a while to notice. */
  left(): void;
  settled(): void;
}

export function createRun(script: ScriptFile, work: ModuleWork, ends: RunEnds): Running {
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

/** A message of a module about one of its calls. */
export function receive(
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
