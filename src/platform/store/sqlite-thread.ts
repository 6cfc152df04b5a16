import { Worker } from 'node:worker_threads';
import type { Row, SqlValue } from './database.ts';
import type { SqliteReply, SqliteRequest, SqliteThreadData } from './sqlite-messages.ts';
import { workerFile } from '../processes/worker-file.ts';

/** A connection in a worker thread. */
export interface SqliteThread {
  one(sql: string, params: readonly SqlValue[]): Promise<Row | undefined>;
  all(sql: string, params: readonly SqlValue[]): Promise<Row[]>;
  run(sql: string, params: readonly SqlValue[]): Promise<{ changes: number }>;
  close(): Promise<void>;
}

interface Pending {
  resolve(reply: SqliteReply): void;
  reject(error: Error): void;
}

export function startSqliteThread(file: string, options: { readOnly: boolean }): SqliteThread {
  const worker = new Worker(workerFile('sqlite-worker'), {
    workerData: { file, ...options } satisfies SqliteThreadData,
  });
  const pending = new Map<number, Pending>();
  let sequence = 0;
  let dead: Error | null = null;
  let closing = false;

  worker.on('message', (reply: SqliteReply) => {
    const waiting = pending.get(reply.id);
    pending.delete(reply.id);
    if (reply.error === undefined) waiting?.resolve(reply);
    else waiting?.reject(new Error(reply.error));
  });
  const end = (error: Error) => {
    dead = error;
    for (const waiting of pending.values()) waiting.reject(error);
    pending.clear();
  };
  worker.on('error', end);
  worker.on('exit', () => end(new Error('the database is closed')));
  // An idle thread must not keep the process alive.
  worker.unref();

  function ask(kind: SqliteRequest['kind'], sql: string, params: readonly SqlValue[]): Promise<SqliteReply> {
    if (dead) return Promise.reject(dead);
    const id = ++sequence;
    return new Promise<SqliteReply>((resolve, reject) => {
      pending.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ id, kind, sql, params } satisfies SqliteRequest);
    }).finally(() => {
      // While closing, the caller waits for its exit.
      if (pending.size === 0 && !closing) worker.unref();
    });
  }

  return {
    one: async (sql, params) => (await ask('one', sql, params)).rows?.[0],
    all: async (sql, params) => (await ask('all', sql, params)).rows ?? [],
    run: async (sql, params) => ({ changes: (await ask('run', sql, params)).changes ?? 0 }),
    close: () =>
      new Promise((resolve) => {
        if (dead) return resolve();
        closing = true;
        worker.ref();
        worker.once('exit', () => resolve());
        worker.postMessage('close');
      }),
  };
}
