import type * as z from 'zod';
import type { SqlValue } from './database.ts';

/**
 * JSON of a column that we wrote ourselves, from a value that this schema parsed on its way in. It is not parsed
 * again: lists read ten thousand of them.
 */
export function readStored<S extends z.ZodType>(schema: S, column: SqlValue | undefined): z.output<S>;
export function readStored(_schema: z.ZodType, column: SqlValue | undefined): unknown {
  const value: unknown = JSON.parse(String(column));
  return value;
}
