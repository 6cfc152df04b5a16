import { isRecord } from '../kit/is-record.ts';

type Fields = Record<string, unknown>;

export interface SchemaProperty {
  name: string;
  schema: Fields;
  required: boolean;
}

/** What a schema asks for, in the terms of a form. */
export type FormShape =
  | { kind: 'text'; long: boolean }
  | { kind: 'number'; whole: boolean }
  | { kind: 'boolean' }
  | { kind: 'enum'; values: readonly unknown[] }
  /** A list has one schema for each position, and one for all that follow or none. */
  | { kind: 'array'; places: readonly Fields[]; items: Fields | null }
  | { kind: 'object'; properties: readonly SchemaProperty[] }
  | { kind: 'choice'; options: readonly { label: string; schema: Fields }[] }
  /** Anything else is written as JSON. */
  | { kind: 'json' };

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** References may lead to one another. */
const MOST_STEPS = 30;
const LONG_TEXT = 200;

/** The schema with its references followed and its `allOf` merged. */
export function readSchema(given: unknown, root: Fields, steps = 0): Fields {
  const schema = isRecord(given) ? given : {};
  if (steps > MOST_STEPS) return {};
  const { $ref: ref, allOf, ...rest } = schema;
  const target = typeof ref === 'string' ? readSchema(find(ref, root), root, steps + 1) : null;
  const parts = listOf(allOf).map((part) => readSchema(part, root, steps + 1));
  return [...(target ? [target] : []), ...parts].reduceRight<Fields>(
    (whole, part) => merge(part, whole),
    rest,
  );
}

/** `#/$defs/Name`, within the same document. */
function find(ref: string, root: Fields): unknown {
  if (!ref.startsWith('#')) return {};
  const keys = ref.slice(1).split('/').slice(1);
  return keys.reduce<unknown>((value, key) => {
    const name = decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~');
    return isRecord(value) ? value[name] : undefined;
  }, root);
}

function merge(part: Fields, over: Fields): Fields {
  const properties = { ...(isRecord(part['properties']) ? part['properties'] : {}) };
  if (isRecord(over['properties'])) Object.assign(properties, over['properties']);
  const required = [part['required'], over['required']].flatMap((each): unknown[] =>
    Array.isArray(each) ? each : [],
  );
  return {
    ...part,
    ...over,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required: [...new Set(required)] }),
  };
}

/** `schema` has been read. */
export function shapeOf(schema: Fields, root: Fields): FormShape {
  if ('const' in schema) return { kind: 'enum', values: [schema['const']] };
  if (Array.isArray(schema['enum'])) return { kind: 'enum', values: schema['enum'] };
  const options = optionsOf(schema, root);
  const [only] = options;
  if (only && options.length === 1) return shapeOf(only.schema, root);
  if (options.length > 1) return { kind: 'choice', options };
  const types: unknown[] = [schema['type']].flat();
  const type = types.find((each) => each !== 'null');
  if (type === 'string') return { kind: 'text', long: Number(schema['maxLength'] ?? 0) > LONG_TEXT };
  if (type === 'number' || type === 'integer') return { kind: 'number', whole: type === 'integer' };
  if (type === 'boolean') return { kind: 'boolean' };
  if (type === 'array') return arrayOf(schema);
  const properties = propertiesOf(schema);
  return properties.length > 0 ? { kind: 'object', properties } : { kind: 'json' };
}

function arrayOf({ items, prefixItems }: Fields): FormShape {
  const places = listOf(Array.isArray(items) ? items : prefixItems);
  const rest = isRecord(items) ? items : null;
  return rest === null && places.length === 0 ? { kind: 'json' } : { kind: 'array', places, items: rest };
}

function optionsOf(schema: Fields, root: Fields): { label: string; schema: Fields }[] {
  const { oneOf, anyOf, ...rest } = schema;
  const options = [...listOf(oneOf), ...listOf(anyOf)]
    .map((option) => readSchema(option, root))
    .filter((option) => option['type'] !== 'null');
  return options.map((option, index) => {
    const whole = merge(rest, option);
    return { label: labelOf(whole, option, index), schema: whole };
  });
}

function labelOf(whole: Fields, option: Fields, index: number): string {
  const title = textOf(option['title']);
  if (title !== null) return title;
  if (isRecord(whole['properties'])) {
    const fixed = Object.entries(whole['properties']).find(([, each]) => isRecord(each) && 'const' in each);
    if (fixed) return `${fixed[0]}: ${String(Reflect.get(Object(fixed[1]), 'const'))}`;
    return Object.keys(whole['properties']).join(', ');
  }
  return textOf(option['type']) ?? `Option ${index + 1}`;
}

/** Required ones first, each in the order of the schema. */
function propertiesOf(schema: Fields): SchemaProperty[] {
  if (!isRecord(schema['properties'])) return [];
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  const all = Object.entries(schema['properties']).map(([name, each]) => ({
    name,
    schema: isRecord(each) ? each : {},
    required: required.has(name),
  }));
  return [...all.filter((each) => each.required), ...all.filter((each) => !each.required)];
}

/** A sentence under the field: its description, limits and default. */
export function hintOf(schema: Fields): string {
  const limits = [
    limit(schema, 'minimum', 'at least'),
    limit(schema, 'maximum', 'at most'),
    limit(schema, 'minLength', 'at least', 'characters'),
    limit(schema, 'maxLength', 'at most', 'characters'),
    limit(schema, 'minItems', 'at least', 'items'),
    limit(schema, 'maxItems', 'at most', 'items'),
    textOf(schema['pattern']) === null ? null : `matches ${String(schema['pattern'])}`,
    textOf(schema['format']),
    schema['default'] === undefined ? null : `default ${JSON.stringify(schema['default'])}`,
  ].filter((each) => each !== null);
  const description = textOf(schema['description']);
  return [description, limits.length === 0 ? null : `(${limits.join(', ')})`]
    .filter((each) => each !== null)
    .join(' ');
}

function limit(schema: Fields, key: string, words: string, unit = ''): string | null {
  const value = schema[key];
  return typeof value === 'number' ? `${words} ${value}${unit === '' ? '' : ` ${unit}`}` : null;
}

/** Paths of required values that are missing, such as `trip.from`. */
export function missingIn(given: unknown, value: unknown, root: Fields, path = ''): string[] {
  const schema = readSchema(given, root);
  const shape = shapeOf(schema, root);
  if (shape.kind === 'array' && Array.isArray(value)) {
    return value.flatMap((item, index) =>
      missingIn(shape.places[index] ?? shape.items, item, root, `${path}[${index}]`),
    );
  }
  if (shape.kind !== 'object') return [];
  const fields = isRecord(value) ? value : {};
  return shape.properties.flatMap(({ name, schema: each, required }) => {
    const at = path === '' ? name : `${path}.${name}`;
    const inner = fields[name];
    if (inner === undefined) {
      const needs = required && !('default' in readSchema(each, root));
      if (!needs) return [];
      const below = missingIn(each, {}, root, at);
      return shapeOf(readSchema(each, root), root).kind === 'object' && below.length > 0 ? below : [at];
    }
    return missingIn(each, inner, root, at);
  });
}
