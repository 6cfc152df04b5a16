import type { JsonSchemaDefinition, ToolInputSchema } from '../../../../../../src/contract/parameters.ts';

/** What people choose from: the types of JSON Schema, with a text of fixed values as one of its own. */
export type Kind = 'string' | 'choice' | 'number' | 'integer' | 'boolean' | 'array' | 'object';

export const kinds: readonly { value: Kind; label: string }[] = [
  { value: 'string', label: 'Text' },
  { value: 'choice', label: 'Choice' },
  { value: 'number', label: 'Number' },
  { value: 'integer', label: 'Whole number' },
  { value: 'boolean', label: 'Yes or no' },
  { value: 'array', label: 'List' },
  { value: 'object', label: 'Object' },
];

export type SchemaOf<T extends JsonSchemaDefinition['type']> = Extract<JsonSchemaDefinition, { type: T }>;

export const kindOf = (schema: JsonSchemaDefinition): Kind =>
  schema.type === 'string' && schema.enum ? 'choice' : schema.type;

/** The same parameter as another kind. Its title and description stay; limits of the old kind mean nothing now. */
export function withKind(schema: JsonSchemaDefinition, kind: Kind): JsonSchemaDefinition {
  const { title, description } = schema;
  const words = {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  };
  if (kind === 'choice') return { ...words, type: 'string', enum: [] };
  if (kind === 'array') return { ...words, type: 'array', items: { type: 'string' } };
  if (kind === 'object') return { ...words, type: 'object', properties: {} };
  return { ...words, type: kind };
}

/** Leaves out fields without a value, which JSON Schema has no other way to say. */
export function withoutEmpty<S extends object>(schema: S): S;
export function withoutEmpty(schema: object): object {
  return Object.fromEntries(
    Object.entries(schema).filter(([, value]) => value !== undefined && value !== ''),
  );
}

export interface NamedProperty {
  name: string;
  schema: JsonSchemaDefinition;
  required: boolean;
}

export const propertiesOf = ({ properties = {}, required = [] }: ToolInputSchema): NamedProperty[] =>
  Object.entries(properties).map(([name, schema]) => ({ name, schema, required: required.includes(name) }));

/** The object with these properties, in this order. */
export function withProperties(
  { required: _before, ...schema }: ToolInputSchema,
  properties: readonly NamedProperty[],
): ToolInputSchema {
  const required = properties.filter((each) => each.required).map(({ name }) => name);
  return {
    ...schema,
    properties: Object.fromEntries(properties.map(({ name, schema: each }) => [name, each])),
    ...(required.length === 0 ? {} : { required }),
  };
}

export function freeName(properties: readonly NamedProperty[], base: string): string {
  const taken = new Set(properties.map(({ name }) => name));
  if (!taken.has(base)) return base;
  let number = 2;
  while (taken.has(`${base}_${number}`)) number += 1;
  return `${base}_${number}`;
}

/** Names that a template can refer to, those within objects dotted. */
export function referencePaths(schema: ToolInputSchema, before = ''): string[] {
  return propertiesOf(schema).flatMap(({ name, schema: each }) => [
    before + name,
    ...(each.type === 'object' ? referencePaths(each, `${before}${name}.`) : []),
  ]);
}

/** A template after a parameter was renamed. Doubled braces are text and stay. */
export function renameReferences(template: string, from: string, to: string): string {
  return template.replace(
    /\{\{|\}\}|\{([\p{L}_][\p{L}\p{N}_-]*)((?:\.[\p{L}\p{N}_-]+)*)\}/gu,
    (token: string, name: string | undefined, rest: string | undefined) =>
      name === from ? `{${to}${rest ?? ''}}` : token,
  );
}
