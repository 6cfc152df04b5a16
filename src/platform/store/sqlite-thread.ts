import { startWorkerThread } from '../processes/worker-thread.ts';
import type { Row, SqlValue } from './database.ts';
import { BEGIN, type SqliteReply, type SqliteRequest, type SqliteThreadData } from './sqlite-messages.ts';

/** A connection in a worker thread. */
export interface SqliteThread {
  /** Statements that are sent before it has resolved are part of the transaction, and fail if it fails. */
  begin(): Promise<void>;
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
  const pending = new Map<number, Pending>();
  let sequence = 0;
  let dead: Error | null = null;
  /** Statements of this tick. A message costs more than most statements, so they are sent as one. */
  let unsent: SqliteRequest[] = [];

  const thread = startWorkerThread<SqliteRequest[] | 'close', SqliteReply[]>(
    'sqlite-worker',
    { workerData: { file, ...options } satisfies SqliteThreadData },
    {
      onMessage(replies) {
        for (const reply of replies) {
          const waiting = pending.get(reply.id);
          pending.delete(reply.id);
          if (reply.error === undefined) waiting?.resolve(reply);
          else waiting?.reject(new Error(reply.error));
        }
      },
      onLost(error) {
        dead = error ?? new Error('the database is closed');
        for (const waiting of pending.values()) waiting.reject(dead);
        pending.clear();
      },
    },
  );

  function send(): void {
    const requests = unsent;
    unsent = [];
    if (requests.length > 0) thread.post(requests);
  }

  function ask(kind: SqliteRequest['kind'], sql: string, params: readonly SqlValue[]): Promise<SqliteReply> {
    if (dead) return Promise.reject(dead);
    const id = ++sequence;
    return new Promise<SqliteReply>((resolve, reject) => {
      pending.set(id, { resolve, reject });
      thread.setBusy(true);
      if (unsent.length === 0) process.nextTick(send);
      unsent.push({ id, kind, sql, params });
    }).finally(() => {
      if (pending.size === 0) thread.setBusy(false);
    });
  }

  return {
    async begin() {
      await ask('run', BEGIN, []);
    },
    one: async (sql, params) => (await ask('one', sql, params)).rows?.[0],
    all: async (sql, params) => (await ask('all', sql, params)).rows ?? [],
    run: async (sql, params) => ({ changes: (await ask('run', sql, params)).changes ?? 0 }),
    close() {
      send();
      return thread.finish('close');
    },
  };
}
