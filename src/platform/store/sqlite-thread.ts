import { startWorkerThread } from '../processes/worker-thread.ts';
import type { Row, SqlValue } from './database.ts';
import {
  type Batch,
  type BatchOutcome,
  BEGIN,
  type SqliteReply,
  type SqliteRequest,
  type SqliteThreadData,
} from './sqlite-messages.ts';

/** A connection in a worker thread. */
export interface SqliteThread {
  /** Statements that are sent before it has resolved are part of the transaction, and fail if it fails. */
  begin(): Promise<void>;
  one(sql: string, params: readonly SqlValue[]): Promise<Row | undefined>;
  all(sql: string, params: readonly SqlValue[]): Promise<Row[]>;
  run(sql: string, params: readonly SqlValue[]): Promise<{ changes: number }>;
  /** In a transaction of their own. */
  write(batches: readonly Batch[]): Promise<BatchOutcome[]>;
  close(): Promise<void>;
}

type Unnumbered<T> = T extends SqliteRequest ? Omit<T, 'id'> : never;

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

  function ask(request: Unnumbered<SqliteRequest>): Promise<SqliteReply> {
    if (dead) return Promise.reject(dead);
    const id = ++sequence;
    return new Promise<SqliteReply>((resolve, reject) => {
      pending.set(id, { resolve, reject });
      thread.setBusy(true);
      if (unsent.length === 0) process.nextTick(send);
      unsent.push({ id, ...request });
    }).finally(() => {
      if (pending.size === 0) thread.setBusy(false);
    });
  }
  const askOne = (kind: 'one' | 'all' | 'run', sql: string, params: readonly SqlValue[]) =>
    ask({ kind, sql, params });

  return {
    async begin() {
      await askOne('run', BEGIN, []);
    },
    one: async (sql, params) => (await askOne('one', sql, params)).rows?.[0],
    all: async (sql, params) => (await askOne('all', sql, params)).rows ?? [],
    run: async (sql, params) => ({ changes: (await askOne('run', sql, params)).changes ?? 0 }),
    async write(batches) {
      const answer = ask({ kind: 'write', batches });
      // It is complete, so the thread commits it while this one goes on with its tick.
      send();
      return (await answer).outcomes ?? [];
    },
    close() {
      send();
      return thread.finish('close');
    },
  };
}
