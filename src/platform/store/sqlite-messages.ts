import type { Row, SqlValue } from './database.ts';

// IMMEDIATE: with a plain BEGIN, a read that turns into a write fails while another process writes.
export const BEGIN = 'BEGIN IMMEDIATE';
export const ROLLBACK = 'ROLLBACK';

export interface BatchStatement {
  sql: string;
  params: readonly SqlValue[];
  /** The batch is refused if it returns no row. */
  needsRow: boolean;
}

/** Statements that are written together or not at all. */
export type Batch = readonly BatchStatement[];

/** `refusedAt` is the index of the statement that returned no row. */
export type BatchOutcome = { rows: (Row | undefined)[] } | { refusedAt: number } | { error: string };

/** Messages between a database thread and its user. */
export type SqliteRequest =
  | { id: number; kind: 'one' | 'all' | 'run'; sql: string; params: readonly SqlValue[] }
  /** A transaction of its own. */
  | { id: number; kind: 'write'; batches: readonly Batch[] };

export interface SqliteReply {
  id: number;
  rows?: Row[];
  changes?: number;
  outcomes?: BatchOutcome[];
  error?: string;
}

export interface SqliteThreadData {
  file: string;
  readOnly: boolean;
}

/** Parsed by hand, so that the thread starts without a schema library. */
export function isThreadData(value: unknown): value is SqliteThreadData {
  if (typeof value !== 'object' || value === null || !('file' in value) || !('readOnly' in value))
    return false;
  return typeof value.file === 'string' && typeof value.readOnly === 'boolean';
}
