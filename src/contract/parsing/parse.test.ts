import * as z from 'zod';
import { expect, it } from 'vitest';
import { parse } from './parse.ts';

const schema = z.strictObject({
  query: z.string().min(1),
  mode: z.enum(['keyword', 'semantic']).optional(),
  limit: z.int().min(1).max(100).optional(),
  name: z.string().max(3).optional(),
  url: z.url().optional(),
  source: z.union([z.string(), z.array(z.string())]).optional(),
  tags: z.array(z.strictObject({ label: z.string() })).optional(),
  id: z
    .string()
    .regex(/^[a-z]+$/, 'must be lower-case letters')
    .optional(),
});

it.each([
  [{ qurey: 'x' }, 'query is missing (must be text); unknown field `qurey`. Did you mean `query`?'],
  [{ query: '' }, 'query must not be empty'],
  [{ query: 5 }, 'query must be text, not a number'],
  [
    { query: 'x', mode: 'keywrd' },
    'mode must be one of "keyword", "semantic", not "keywrd"; did you mean "keyword"?',
  ],
  [{ query: 'x', limit: 0 }, 'limit must be at least 1, not 0'],
  [{ query: 'x', limit: 1.5 }, 'limit must be a whole number, not 1.5'],
  [{ query: 'x', limit: 'ten' }, 'limit must be a number, not text'],
  [{ query: 'x', limit: Number.NaN }, 'limit must be a number, not NaN'],
  [{ query: 'x', name: 'long' }, 'name must have at most 3 characters, not 4'],
  [{ query: 'x', url: 'nope' }, 'url must be a URL'],
  [{ query: 'x', source: 5 }, 'source must be text or a list, not a number'],
  [{ query: 'x', source: [5] }, 'source[0] must be text, not a number'],
  [
    { query: 'x', tags: [{ lable: 'a' }] },
    'tags[0].label is missing (must be text); tags[0] has an unknown field `lable`. Did you mean `label`?',
  ],
  [{ query: 'x', id: 'A' }, 'id must be lower-case letters'],
  [null, 'the input must be an object, not null'],
  [[], 'the input must be an object, not a list'],
])('describes %j in plain words', (value, message) => {
  expect(() => parse(schema, value)).toThrow(message);
});
