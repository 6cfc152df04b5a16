import * as z from 'zod';

/**
 * The JSON Schema types that a published tool's parameters may use: a union discriminated by `type`,
 * in which `default`, `enum` and `examples` are of that type.
 */
interface SchemaBase {
  title?: string | undefined;
  description?: string | undefined;
}

interface StringSchema extends SchemaBase {
  type: 'string';
  enum?: string[] | undefined;
  default?: string | undefined;
  examples?: string[] | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
}

interface NumericSchema extends SchemaBase {
  type: 'number' | 'integer';
  enum?: number[] | undefined;
  default?: number | undefined;
  examples?: number[] | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
}

interface BooleanSchema extends SchemaBase {
  type: 'boolean';
  default?: boolean | undefined;
}

interface ArraySchema extends SchemaBase {
  type: 'array';
  /** A list is a tuple; written as `prefixItems`. */
  items: JsonSchemaDefinition | JsonSchemaDefinition[];
  minItems?: number | undefined;
  maxItems?: number | undefined;
  uniqueItems?: boolean | undefined;
}

interface ObjectSchema extends SchemaBase {
  type: 'object';
  properties?: Record<string, JsonSchemaDefinition> | undefined;
  required?: string[] | undefined;
  additionalProperties?: boolean | JsonSchemaDefinition | undefined;
  minProperties?: number | undefined;
  maxProperties?: number | undefined;
}

export type JsonSchemaDefinition = StringSchema | NumericSchema | BooleanSchema | ArraySchema | ObjectSchema;
export type ToolInputSchema = ObjectSchema;

const base = { title: z.string().optional(), description: z.string().optional() };
const count = z.int().min(0).optional();
const nested = z.lazy(() => JsonSchemaDefinition);

const stringSchema = z.strictObject({
  ...base,
  type: z.literal('string'),
  enum: z.array(z.string()).min(1).optional(),
  default: z.string().optional(),
  examples: z.array(z.string()).optional(),
  minLength: count,
  maxLength: count,
});

const numeric = (value: z.ZodNumber) => ({
  ...base,
  enum: z.array(value).min(1).optional(),
  default: value.optional(),
  examples: z.array(value).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});
const numberSchema = z.strictObject({ ...numeric(z.number()), type: z.literal('number') });
const integerSchema = z.strictObject({ ...numeric(z.int()), type: z.literal('integer') });

const booleanSchema = z.strictObject({
  ...base,
  type: z.literal('boolean'),
  default: z.boolean().optional(),
});

const arraySchema = z.strictObject({
  ...base,
  type: z.literal('array'),
  items: z.union([nested, z.array(nested)]),
  minItems: count,
  maxItems: count,
  uniqueItems: z.boolean().optional(),
});

const objectSchema = z
  .strictObject({
    ...base,
    type: z.literal('object'),
    properties: z.record(z.string(), nested).optional(),
    required: z.array(z.string()).optional(),
    additionalProperties: z.union([z.boolean(), nested]).optional(),
    minProperties: count,
    maxProperties: count,
  })
  .refine(
    (schema) => (schema.required ?? []).every((name) => schema.properties && name in schema.properties),
    {
      path: ['required'],
      message: 'names a property that `properties` does not have',
    },
  );

export const JsonSchemaDefinition: z.ZodType<JsonSchemaDefinition> = z.discriminatedUnion('type', [
  stringSchema,
  numberSchema,
  integerSchema,
  booleanSchema,
  arraySchema,
  objectSchema,
]);

/** A tool's input is always an object. */
export const ToolInputSchema: z.ZodType<ToolInputSchema> = objectSchema;

/** The same parameters as JSON Schema 2020-12, where a tuple is `prefixItems`. */
export function toJsonSchema(schema: JsonSchemaDefinition): Record<string, unknown> {
  if (schema.type === 'array') {
    const { items, ...rest } = schema;
    return Array.isArray(items)
      ? { ...rest, prefixItems: items.map(toJsonSchema), items: false }
      : { ...rest, items: toJsonSchema(items) };
  }
  if (schema.type !== 'object') return { ...schema };
  const { properties, additionalProperties, ...rest } = schema;
  const out: Record<string, unknown> = { ...rest };
  if (properties) {
    out.properties = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, toJsonSchema(property)]),
    );
  }
  if (additionalProperties !== undefined) {
    out.additionalProperties =
      typeof additionalProperties === 'boolean' ? additionalProperties : toJsonSchema(additionalProperties);
  }
  return out;
}
