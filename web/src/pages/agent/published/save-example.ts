import type { JsonSchemaDefinition, ToolInputSchema } from '../../../../../src/contract/parameters.ts';
import { isRecord } from '../../../kit/is-record.ts';

const MOST_EXAMPLES = 5;

/** The schema with these values as the first examples of their parameters, nested ones included. */
export function saveExamples(
  schema: ToolInputSchema,
  values: Readonly<Record<string, unknown>>,
): ToolInputSchema {
  const properties = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, each]) => [
      name,
      values[name] === undefined ? each : withExample(each, values[name]),
    ]),
  );
  return { ...schema, properties };
}

function withExample(schema: JsonSchemaDefinition, value: unknown): JsonSchemaDefinition {
  if (schema.type === 'object') return isRecord(value) ? saveExamples(schema, value) : schema;
  if (schema.type === 'array') {
    const { items } = schema;
    if (!Array.isArray(value) || value.length === 0) return schema;
    const list: readonly unknown[] = value;
    const next = Array.isArray(items)
      ? items.map((item, index) => (list[index] === undefined ? item : withExample(item, list[index])))
      : withExample(items, list[0]);
    return { ...schema, items: next };
  }
  if (schema.type === 'string')
    return typeof value === 'string' ? { ...schema, examples: firstOf(value, schema.examples) } : schema;
  if (schema.type === 'boolean' || typeof value !== 'number') return schema;
  return { ...schema, examples: firstOf(value, schema.examples) };
}

const firstOf = <V>(value: V, examples: readonly V[] = []): V[] =>
  [value, ...examples.filter((each) => each !== value)].slice(0, MOST_EXAMPLES);
