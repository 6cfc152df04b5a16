import type * as z from 'zod';
import { ZooError } from '../errors.ts';
import { meantIssue, renderPath, sentence } from './issue-words.ts';

/** One error that names every offending field, and what is allowed. */
function invalidArguments(error: z.ZodError, root: unknown, schema: z.ZodType, where?: string): ZooError {
  const checked = { root, schema };
  const issues = error.issues.map((issue) => {
    const { path, words } = meantIssue(issue, checked);
    return { path: renderPath([...(where ? [where] : []), ...path]), message: words };
  });
  const message = issues.map(({ path, message }) => sentence(path, message)).join('; ');
  return new ZooError('invalid_arguments', message, { issues });
}

/** Parses input from outside; throws an error that names the invalid fields. */
export function parse<S extends z.ZodType>(schema: S, value: unknown, where?: string): z.output<S> {
  const result = schema.safeParse(value);
  if (!result.success) throw invalidArguments(result.error, value, schema, where);
  return result.data;
}
