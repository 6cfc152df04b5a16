import * as z from 'zod';
import { ZooError } from '../../contract/errors.ts';

/** A host function that was called wrongly. */
export const wrong = (name: string, message: string) =>
  new ZooError('invalid_arguments', `${name}: ${message}`);

/** An empty table of Lua's is an empty list to JSON. */
function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** For options, where an empty table stands for none. */
export function loose<S extends z.ZodType>(schema: S) {
  return z.preprocess((value) => (isEmptyList(value) ? {} : value), schema);
}

/** The arguments of the host function `name`. */
export function parse<S extends z.ZodType>(name: string, schema: S, value: unknown): z.infer<S> {
  const parsed = schema.safeParse(isEmptyList(value) ? {} : value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = issue?.path.length ? `${issue.path.join('.')}: ` : '';
  throw wrong(name, `${at}${issue?.message ?? 'it was called wrongly'}`);
}
