import type { Row, SqlValue } from './database.ts';

// IMMEDIATE: with a plain BEGIN, a read that turns into a write fails while another process writes.
export const BEGIN = 'BEGIN IMMEDIATE';
export const ROLLBACK = 'ROLLBACK';

/** Messages between a database thread and its user. */
export interface SqliteRequest {
  id: number;
  kind: 'one' | 'all' | 'run';
  sql: string;
  params: readonly SqlValue[];
}

export interface SqliteReply {
  id: number;
  rows?: Row[];
  changes?: number;
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
