import * as z from 'zod';
import { ZooError } from '../../contract/errors.ts';
import { describeIssue } from '../../contract/parsing/issue-words.ts';

/** Invalid arguments of a host function. */
export const wrong = (name: string, message: string) =>
  new ZooError('invalid_arguments', `${name}: ${message}`);

/** An empty Lua table becomes an empty JSON list. */
function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Options, which may be an empty table. */
export function loose<S extends z.ZodType>(schema: S) {
  return z.preprocess((value) => (isEmptyList(value) ? {} : value), schema);
}

/** The arguments of the host function `name`. */
export function parse<S extends z.ZodType>(name: string, schema: S, value: unknown): z.infer<S> {
  const parsed = schema.safeParse(isEmptyList(value) ? {} : value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw wrong(
    name,
    issue
      ? describeIssue(issue, { root: value, schema, notation: 'toml' })
      : 'it was called with invalid arguments',
  );
}
