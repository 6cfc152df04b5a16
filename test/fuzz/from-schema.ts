import * as fc from 'fast-check';
import * as z from 'zod';

/** The part of JSON Schema that the hub's own schemas use. */
const Schema = z.looseObject({
  $ref: z.string().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  allOf: z.array(z.unknown()).optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.unknown().optional(),
  items: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
  format: z.string().optional(),
});
type Schema = z.infer<typeof Schema>;

const DEEPEST = 5;

/** Names that exist in the hub under test, so that generated requests get past the first lookup. */
const KNOWN = ['helper', 'writer', 'fuzz-1', 'fuzz-2', 'search', 'docs', 'notes.md', 'general', 'brave'];

/** Strings that have broken programs before. */
export const TROUBLE = [
  '',
  ' ',
  '\0',
  '\u202e',
  '\ud800',
  '\ufeff',
  '__proto__',
  'constructor',
  '../../../../etc/passwd',
  '%00',
  '%zz',
  '${PATH}',
  '{{name}}',
  '{name}',
  '$&',
  '(a+)+$',
  '+(*)+(*)+(*)z',
  '[a](a+)+z',
  '"',
  "'; DROP TABLE agents; --",
  'a AND',
  'NEAR(a b, 99)',
  'a*',
  '-a',
  '1e999',
  '2026-02-31',
  'agent-zoo://agents/current',
  'file:///etc/passwd',
  '<document>',
  '---\n',
  'x'.repeat(5000),
  '\n'.repeat(2000),
  'é'.repeat(700),
];

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...KNOWN) },
  { weight: 3, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 2, arbitrary: fc.constantFrom(...TROUBLE) },
);

export const trouble: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 0.5, 2 ** 53, 1e308, -1e-308, [], {}, [[]], [null], { '': '' }),
  fc.constantFrom(...TROUBLE),
  fc.constant(JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": 1}}')),
  fc.nat({ max: 300 }).map((depth) => nested(depth)),
  fc.nat({ max: 3000 }).map((length) => Array.from({ length }, (_, n) => n)),
  fc.jsonValue({ maxDepth: 4 }),
);

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let n = 0; n < depth; n++) value = n % 2 ? [value] : { a: value };
  return value;
}

/** Values that a schema allows, or nearly: lengths and patterns are not always kept. */
export function fromSchema(schema: unknown, document: unknown, depth = 0): fc.Arbitrary<unknown> {
  const parsed = Schema.safeParse(schema);
  if (!parsed.success || depth > DEEPEST) return fc.constantFrom<unknown>(null, 'a', 1);
  const { $ref, enum: values, anyOf, oneOf, allOf, type } = parsed.data;
  const inner = (each: unknown) => fromSchema(each, document, depth + 1);
  if ($ref !== undefined) return inner(lookUp(document, $ref));
  if ('const' in parsed.data) return fc.constant(parsed.data.const);
  if (values) return fc.constantFrom(...values);
  const choices =
    anyOf ?? oneOf ?? (Array.isArray(type) ? type.map((each) => ({ ...parsed.data, type: each })) : null);
  if (choices) return fc.oneof(...choices.map(inner));
  if (allOf) return inner(allOf[0]);
  return ofType(parsed.data, inner);
}

function ofType(schema: Schema, inner: (each: unknown) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const { minimum = -5, maximum = 500, maxLength = 5000 } = schema;
  if (schema.type === 'object' || schema.properties) return objectOf(schema, inner);
  if (schema.type === 'array') return fc.array(inner(schema.items ?? {}), { maxLength: 4 });
  if (schema.type === 'integer')
    return fc.integer({ min: Math.ceil(minimum), max: Math.max(minimum, maximum) });
  if (schema.type === 'number')
    return fc.double({ min: minimum, max: Math.max(minimum, maximum), noNaN: true });
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'null') return fc.constant(null);
  if (schema.type === 'string') {
    if (schema.format?.startsWith('date'))
      return fc.constantFrom('2026-01-01', '2026-01-01T00:00:00Z', 'soon');
    return text.map((each) => each.slice(0, maxLength));
  }
  return fc.jsonValue({ maxDepth: 2 });
}

function objectOf(schema: Schema, inner: (each: unknown) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) return fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
  const model = Object.fromEntries(properties.map(([name, each]) => [name, inner(each)]));
  return fc.record(model, { requiredKeys: schema.required?.filter((name) => name in model) ?? [] });
}

function lookUp(document: unknown, ref: string): unknown {
  return ref
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (at, name) =>
        typeof at === 'object' && at !== null ? Object.entries(at).find(([key]) => key === name)?.[1] : null,
      document,
    );
}
