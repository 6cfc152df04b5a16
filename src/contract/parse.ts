import type * as z from 'zod';
import { ZooError } from './errors.ts';

/** Turns zod's issues into one error that names every invalid field. */
function invalidArguments(error: z.ZodError, where?: string): ZooError {
  const issues = error.issues.map((issue) => {
    const path = [...(where ? [where] : []), ...issue.path.map(String)].join('.');
    return { path, message: issue.message };
  });
  const message = issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ');
  return new ZooError('invalid_arguments', message, { issues });
}

/** Parses input from outside; throws an error that names the invalid fields. */
export function parse<S extends z.ZodType>(schema: S, value: unknown, where?: string): z.output<S> {
  const result = schema.safeParse(value);
  if (!result.success) throw invalidArguments(result.error, where);
  return result.data;
}
