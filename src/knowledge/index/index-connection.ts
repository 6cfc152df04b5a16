import { DatabaseSync } from '@photostructure/sqlite';
import { keepStatements } from '../../platform/store/kept-statements.ts';
import { explainIndexError } from './index-errors.ts';

export type IndexValue = string | number | bigint | null | Uint8Array;
export type IndexRow = Record<string, string | number | null | Uint8Array>;

/** One connection of one thread to the index. SQLite errors are thrown as a `ZooError` that says what to do. */
export interface IndexConnection {
  readonly file: string;
  one(sql: string, ...params: readonly IndexValue[]): IndexRow | undefined;
  all(sql: string, ...params: readonly IndexValue[]): IndexRow[];
  each(sql: string, ...params: readonly IndexValue[]): IterableIterator<IndexRow>;
  run(sql: string, ...params: readonly IndexValue[]): { changes: number; id: number };
  exec(sql: string): void;
  /** Defines an SQL function that takes text; true is returned as 1. */
  define(name: string, test: (text: string) => boolean): void;
  loadExtension(path: string): void;
  close(): void;
}

/** A sync writes in transactions of about a second; a longer wait means that something hangs. */
const LOCK_WAIT_MS = 30_000;

export interface IndexConnectionOptions {
  readOnly: boolean;
  waitMs?: number;
}

export function openIndexConnection(
  file: string,
  { readOnly, waitMs = LOCK_WAIT_MS }: IndexConnectionOptions,
): IndexConnection {
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw explainIndexError(error, file);
    }
  };
  const options = { readOnly, timeout: waitMs, allowExtension: true, defensive: true };
  const database = guarded(() => new DatabaseSync(file, options));
  const statements = keepStatements(database);
  return {
    file,
    one: (sql, ...params) =>
      guarded(() => {
        const row: unknown = statements.prepare(sql).get(...params);
        return isRow(row) ? row : undefined;
      }),
    all: (sql, ...params) =>
      guarded(() =>
        statements
          .prepare(sql)
          .all(...params)
          .filter(isRow),
      ),
    *each(sql, ...params) {
      // Not a cached statement: the caller may run the same SQL before this iteration ends.
      const rows: Iterator<unknown> = guarded(() => database.prepare(sql).iterate(...params));
      for (;;) {
        const next: IteratorResult<unknown, unknown> = guarded(() => rows.next());
        if (next.done === true) return;
        if (isRow(next.value)) yield next.value;
      }
    },
    run: (sql, ...params) =>
      guarded(() => {
        const { changes, lastInsertRowid } = statements.prepare(sql).run(...params);
        return { changes: Number(changes), id: Number(lastInsertRowid) };
      }),
    exec: (sql) => guarded(() => database.exec(sql)),
    define: (name, test) =>
      database.function(name, { deterministic: true }, (text: unknown) => (test(String(text)) ? 1 : 0)),
    loadExtension: (path) => {
      database.enableLoadExtension(true);
      database.loadExtension(path);
      database.enableLoadExtension(false);
    },
    close() {
      statements.forget();
      if (database.isOpen) database.close();
    },
  };
}

/** The driver types rows as unknown; our schema determines their columns. */
function isRow(value: unknown): value is IndexRow {
  return typeof value === 'object' && value !== null;
}

export const textOrNull = (value: IndexRow[string] | undefined): string | null =>
  value === null || value === undefined ? null : String(value);
