import type { Readable } from 'node:stream';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { workerFile } from './worker-file.ts';

/** A worker thread of this program. It keeps the process alive only while it is busy. */
export interface WorkerThread<To> {
  readonly stdout: Readable;
  readonly stderr: Readable;
  post(message: To): void;
  /** Whether the process has to stay alive for it. */
  setBusy(busy: boolean): void;
  /** Asks it to finish with this message, and waits for its exit. */
  finish(message: To): Promise<void>;
  /** Stops it at once. */
  terminate(): Promise<void>;
}

export interface WorkerThreadEvents<From> {
  onMessage(message: From): void;
  /** Called once: with the error that it failed with, or null if it exited. */
  onLost(error: (Error & { code?: string }) | null): void;
}

/** @param name of the file in `dist/workers/`, without its ending */
export function startWorkerThread<To, From>(
  name: string,
  options: WorkerOptions,
  { onMessage, onLost }: WorkerThreadEvents<From>,
): WorkerThread<To> {
  const worker = new Worker(workerFile(name), options);
  let isLost = false;
  let isFinishing = false;
  // A thread that failed also exits.
  const lose = (error: Error | null): void => {
    if (isLost) return;
    isLost = true;
    onLost(error);
  };
  worker.on('message', onMessage);
  worker.on('error', lose);
  worker.on('exit', () => lose(null));
  worker.unref();
  return {
    stdout: worker.stdout,
    stderr: worker.stderr,
    post: (message) => worker.postMessage(message),
    setBusy(busy) {
      if (busy) worker.ref();
      // While it finishes, the caller waits for its exit.
      else if (!isFinishing) worker.unref();
    },
    finish: (message) =>
      new Promise((resolve) => {
        if (isLost) return resolve();
        isFinishing = true;
        worker.ref();
        worker.once('exit', () => resolve());
        return worker.postMessage(message);
      }),
    terminate: async () => void (await worker.terminate()),
  };
}
