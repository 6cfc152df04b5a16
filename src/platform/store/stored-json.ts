import type * as z from 'zod';
import type { SqlValue } from './database.ts';

/**
 * JSON from a column that we wrote from a parsed value. It is not validated again, because lists read ten thousand
 * of them.
 */
export function readStored<S extends z.ZodType>(schema: S, column: SqlValue | undefined): z.output<S>;
export function readStored(_schema: z.ZodType, column: SqlValue | undefined): unknown {
  const value: unknown = JSON.parse(String(column));
  return value;
}
