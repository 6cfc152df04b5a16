import { basename } from 'node:path';
import type { WorkerOptions } from 'node:worker_threads';
import { ZooError } from '../../contract/errors.ts';
import { workerFile } from '../../platform/processes/worker-file.ts';
import { startWorkerThread } from '../../platform/processes/worker-thread.ts';
import { messageOf } from '../../platform/text/error-message.ts';
import type { ScriptFile, ScriptLog } from '../sandbox.ts';
import type { FromModule, ModuleThreadData, ToModule } from './module-messages.ts';
import { createRun, type ModuleDone, type ModuleWork, receive, type Running } from './module-run.ts';

/** The thread was lost because of another call. */
export class ThreadLost extends Error {}

/** One version of a module in a worker thread. Calls run concurrently. */
export interface ModuleThread {
  run(work: ModuleWork): Promise<ModuleDone>;
  /** False while draining. */
  fit(): boolean;
  busy(): boolean;
  end(): Promise<void>;
}

/** How long a thread may be silent before it counts as stuck: after a call timed out, and otherwise. */
const LAST_CHANCE_MS = 250;
const SILENCE_MS = 1000;

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

function lossOf(script: ScriptFile, error: Error & { code?: string }): ZooError {
  const memory = Math.round(script.limits.memoryBytes / 2 ** 20);
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? failure(script, `it exceeded its memory limit of ${memory} MB`)
    : failure(script, messageOf(error));
}

/** The package that ships with this program, not one installed in the module's folder. */
const agentPackage = (): string =>
  workerFile('module-worker').replace(/workers[\\/]module-worker\.mjs$/, 'agent.mjs');

function failure({ path }: ScriptFile, message: string): ZooError {
  return new ZooError('agent_error', `${basename(path)}: ${message}`, {
    file: path,
    line: null,
    traceback: [],
  });
}
