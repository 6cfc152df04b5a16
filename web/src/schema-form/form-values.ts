import type { JsonSchemaDefinition, ToolInputSchema } from '../../../src/contract/parameters.ts';
import { isRecord } from '../kit/is-record.ts';

export type FormValues = Record<string, unknown>;

/** Something to begin with: the first example, the default, the first choice; nothing where the schema has none. */
function sampleOf(schema: JsonSchemaDefinition): unknown {
  if (schema.type === 'object') return sampleValues(schema);
  if (schema.type === 'boolean') return schema.default;
  if (schema.type !== 'array') return schema.examples?.[0] ?? schema.default ?? schema.enum?.[0];
  const items = [schema.items].flat().map(sampleOf);
  return items.some((each) => each === undefined) ? undefined : items;
}

export function sampleValues({ properties = {} }: ToolInputSchema): FormValues {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) => {
      const sample = sampleOf(schema);
      return sample === undefined ? [] : [[name, sample]];
    }),
  );
}

/** What is wrong with a value, by its path: `trip.legs[0].seats`. Empty if a caller may send it. */
export function valueProblems(
  schema: JsonSchemaDefinition,
  value: unknown,
  path = '',
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const own = ownProblem(schema, value);
  if (own !== null) found.set(path, own);
  const add = (at: string, inner: JsonSchemaDefinition, part: unknown): void => {
    for (const [key, problem] of valueProblems(inner, part, at)) found.set(key, problem);
  };
  if (schema.type === 'object' && isRecord(value)) {
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      const at = path === '' ? name : `${path}.${name}`;
      if (value[name] !== undefined) add(at, inner, value[name]);
      else if (schema.required?.includes(name)) found.set(at, 'Required.');
    }
  }
  if (schema.type === 'array' && Array.isArray(value)) {
    const { items } = schema;
    for (const [index, part] of value.entries()) {
      const inner = Array.isArray(items) ? items[index] : items;
      if (inner) add(`${path}[${index}]`, inner, part);
    }
  }
  return found;
}

function ownProblem(schema: JsonSchemaDefinition, value: unknown): string | null {
  if (schema.type === 'boolean') return typeof value === 'boolean' ? null : 'Must be yes or no.';
  if (schema.type === 'array') return listProblem(schema, value);
  if (schema.type === 'object') {
    if (!isRecord(value)) return 'Must be an object.';
    return outside(Object.keys(value).length, schema.minProperties, schema.maxProperties, 'properties');
  }
  if (schema.type === 'string' && typeof value !== 'string') return 'Must be text.';
  if (schema.type !== 'string' && typeof value !== 'number') return 'Must be a number.';
  const choices: readonly unknown[] | undefined = schema.enum;
  if (choices && !choices.includes(value)) return `Must be one of ${choices.join(', ')}.`;
  if (schema.type === 'string')
    return outside([...String(value)].length, schema.minLength, schema.maxLength, 'characters');
  if (schema.type === 'integer' && !Number.isInteger(value)) return 'Must be a whole number.';
  return outside(Number(value), schema.minimum, schema.maximum, '');
}

function listProblem(
  { uniqueItems = false, minItems, maxItems }: Extract<JsonSchemaDefinition, { type: 'array' }>,
  value: unknown,
): string | null {
  if (!Array.isArray(value)) return 'Must be a list.';
  if (uniqueItems && new Set(value.map((each) => JSON.stringify(each))).size < value.length)
    return 'Contains a duplicate.';
  return outside(value.length, minItems, maxItems, 'items');
}

function outside(
  amount: number,
  least: number | undefined,
  most: number | undefined,
  unit: string,
): string | null {
  const what = unit === '' ? '' : ` ${unit}`;
  if (least !== undefined && amount < least) return `At least ${least}${what}.`;
  if (most !== undefined && amount > most) return `At most ${most}${what}.`;
  return null;
}
