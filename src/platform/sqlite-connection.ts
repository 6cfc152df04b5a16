import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite';
import type { Row, SqlValue } from './database.ts';

/** One connection of one thread, with the statements it has prepared. */
export interface SqliteConnection {
  one(sql: string, params: readonly SqlValue[]): Row | undefined;
  all(sql: string, params: readonly SqlValue[]): Row[];
  run(sql: string, params: readonly SqlValue[]): { changes: number };
  close(): void;
}

const KEPT_STATEMENTS = 200;
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
  const statements = new Map<string, StatementSyncInstance>();
  const prepared = (sql: string): StatementSyncInstance => {
    const known = statements.get(sql);
    if (known) return known;
    if (statements.size >= KEPT_STATEMENTS) statements.clear();
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    one: (sql, params) => {
      const row: unknown = prepared(sql).get(...params);
      return isRow(row) ? row : undefined;
    },
    all: (sql, params) =>
      prepared(sql)
        .all(...params)
        .filter(isRow),
    run: (sql, params) => ({ changes: Number(prepared(sql).run(...params).changes) }),
    close() {
      statements.clear();
      database.close();
    },
  };
}

/** The driver types rows as unknown; their columns are what our schema allows, which has no blobs or big integers. */
function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null;
}
