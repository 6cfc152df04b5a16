/** Column values that every engine supports. */
export type SqlValue = string | number | null;
export type Row = Record<string, SqlValue>;

/** SQL here is the part that SQLite and Postgres share, with `?` for parameters. */
export interface Reader {
  /** At most one row, by an index: fast enough for the main loop. */
  one(sql: string, params?: readonly SqlValue[]): Promise<Row | undefined>;
  /** Any number of rows; runs off the main loop where there is another thread. */
  all(sql: string, params?: readonly SqlValue[]): Promise<Row[]>;
}

export interface Transaction extends Reader {
  run(sql: string, params?: readonly SqlValue[]): Promise<{ changes: number }>;
}

/** One of the statements of `write`. */
export interface Statement {
  sql: string;
  params?: readonly SqlValue[];
  /** Where it returns no row, nothing is written and this is thrown. */
  orElse?: () => Error;
}

/** The store. A resolved `transaction` is on disk; a rejected one has no effect. */
export interface Database extends Reader {
  /** Holds the write lock from its first statement; transactions never interleave. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Writes all of the statements or none. Resolves once they are on disk, with the first row that each returned. Takes
   * one message to the thread that writes, where a transaction takes one per read and one for its commit; calls of the
   * same moment share a commit. Writes and transactions are executed in the order of their calls.
   */
  write(statements: readonly Statement[]): Promise<(Row | undefined)[]>;
  /** Changes with every commit: at once for our own, within 5 ms for other processes. */
  version(): number;
  /** A consistent copy as one file, while others read and write. */
  backup(file: string): Promise<void>;
  /**
   * Replaces the content by that of a backup, in one transaction. Tables in `keep` stay as they are; the statements in
   * `after` run at its end, and read the backup as the schema `restored`.
   */
  restore(file: string, keep: readonly string[], after?: readonly string[]): Promise<void>;
  /** Problems with the files of the store; empty if there are none. */
  check(): Promise<string[]>;
  close(): Promise<void>;
}

/** One step of the schema. Once released, a step is never edited. */
export interface Migration {
  id: number;
  name: string;
  statements: readonly string[];
}
