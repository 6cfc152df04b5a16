import type { Row, SqlValue } from './database.ts';

/** What passes between a thread with a connection and the thread that uses it. */
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

/** By hand, so that the thread starts without a schema library. */
export function isThreadData(value: unknown): value is SqliteThreadData {
  if (typeof value !== 'object' || value === null || !('file' in value) || !('readOnly' in value))
    return false;
  return typeof value.file === 'string' && typeof value.readOnly === 'boolean';
}
