import { DatabaseSync } from '@photostructure/sqlite';
import { keepStatements } from './kept-statements.ts';
import type { Row, SqlValue } from './database.ts';

/** A connection with its prepared statements, for one thread. */
export interface SqliteConnection {
  one(sql: string, params: readonly SqlValue[]): Row | undefined;
  all(sql: string, params: readonly SqlValue[]): Row[];
  run(sql: string, params: readonly SqlValue[]): { changes: number };
  close(): void;
}

export const LOCK_WAIT_MS = 15_000;

export interface ConnectionOptions {
  readOnly: boolean;
  /** How long a statement blocks its thread while another connection holds the lock. */
  waitMs?: number;
}

export function openConnection(
  file: string,
  { readOnly, waitMs = LOCK_WAIT_MS }: ConnectionOptions,
): SqliteConnection {
  const database = new DatabaseSync(file, { readOnly, timeout: waitMs });
  // A commit is acknowledged only once it would survive a power cut.
  database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
  const statements = keepStatements(database);
  return {
    one: (sql, params) => {
      const row: unknown = statements.prepare(sql).get(...params);
      return isRow(row) ? row : undefined;
    },
    all: (sql, params) =>
      statements
        .prepare(sql)
        .all(...params)
        .filter(isRow),
    run: (sql, params) => ({ changes: Number(statements.prepare(sql).run(...params).changes) }),
    close() {
      statements.forget();
      database.close();
    },
  };
}

/** The driver types rows as unknown; our schema has no blobs or big integers. */
function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null;
}
