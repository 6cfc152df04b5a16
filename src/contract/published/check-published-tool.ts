import type { JsonSchemaDefinition, ToolInputSchema } from '../parameters.ts';
import { referencesIn, TOOL_PROPERTIES } from './prompt-template.ts';

/** Tools of the hub that stand beside published tools on every list. */
export const JOB_TOOL_NAMES = ['zoo_job_status', 'zoo_job_result', 'zoo_job_cancel'] as const;
const TAKEN: ReadonlySet<string> = new Set([...JOB_TOOL_NAMES, 'find_tools', 'call_tool']);

/** A mistake in a published tool, and the field it is in. */
export interface ToolProblem {
  path: (string | number)[];
  message: string;
}

interface CheckedTool {
  name: string;
  prompt: string;
  parameters?: ToolInputSchema | undefined;
  output?: ToolInputSchema | undefined;
}

/** Every mistake that the schema cannot detect: unknown references, and examples or defaults that do not fit. */
export function publishedToolProblems({ name, prompt, parameters, output }: CheckedTool): ToolProblem[] {
  return [
    ...(TAKEN.has(name)
      ? [{ path: ['name'], message: `'${name}' is a tool of the hub; choose another name` }]
      : []),
    ...referencesIn(prompt).flatMap((reference) => {
      const message = referenceProblem(reference, parameters);
      return message === null ? [] : [{ path: ['prompt'], message }];
    }),
    ...(parameters ? schemaProblems(parameters, ['parameters']) : []),
    ...(output ? schemaProblems(output, ['output']) : []),
  ];
}

/** Every tool that has the same name as an earlier one. */
export function duplicateNameProblems(tools: readonly { name: string }[]): ToolProblem[] {
  return tools.flatMap(({ name }, index) => {
    const first = tools.findIndex((tool) => tool.name === name);
    return first === index
      ? []
      : [{ path: [index, 'name'], message: `two published tools are named '${name}'` }];
  });
}

function referenceProblem(reference: string, parameters: ToolInputSchema | undefined): string | null {
  const keys = reference.split('.');
  const known = Object.keys(parameters?.properties ?? {});
  let schema: JsonSchemaDefinition | null = parameters ?? { type: 'object' };
  for (const [index, key] of keys.entries()) {
    if (index === 0 && keys.length === 1 && isToolProperty(key)) return null;
    const next: JsonSchemaDefinition | null | undefined = childOf(schema, key);
    if (next === undefined) {
      const have = index === 0 ? describeKnown(known) : '';
      const inside =
        index === 0 ? 'is not a parameter' : `does not exist in '${keys.slice(0, index).join('.')}'`;
      return `{${reference}}: '${key}' ${inside}.${have} Write {{${reference}}} for the text itself`;
    }
    // The schema does not describe what is below, so it may exist.
    if (next === null) return null;
    schema = next;
  }
  return null;
}

const isToolProperty = (key: string): boolean => TOOL_PROPERTIES.some((each) => each === key);

const describeKnown = (names: readonly string[]): string =>
  names.length === 0 ? ' The tool has no parameters.' : ` Parameters: ${names.join(', ')}.`;

/** Undefined when there is no such part, null when the schema does not say. */
function childOf(schema: JsonSchemaDefinition | null, key: string): JsonSchemaDefinition | null | undefined {
  if (schema?.type === 'object') {
    const { properties = {}, additionalProperties } = schema;
    if (Object.hasOwn(properties, key)) return properties[key];
    if (typeof additionalProperties === 'object') return additionalProperties;
    return additionalProperties === true ? null : undefined;
  }
  if (schema?.type !== 'array' || !/^\d+$/.test(key)) return undefined;
  return Array.isArray(schema.items) ? schema.items[Number(key)] : schema.items;
}

function schemaProblems(schema: JsonSchemaDefinition, path: (string | number)[]): ToolProblem[] {
  if (schema.type === 'object') {
    const { properties = {}, additionalProperties } = schema;
    return [
      ...boundsProblem(schema.minProperties, schema.maxProperties, 'minProperties', path),
      ...Object.entries(properties).flatMap(([key, each]) =>
        schemaProblems(each, [...path, 'properties', key]),
      ),
      ...(typeof additionalProperties === 'object'
        ? schemaProblems(additionalProperties, [...path, 'additionalProperties'])
        : []),
    ];
  }
  if (schema.type === 'array') {
    const { items } = schema;
    return [
      ...boundsProblem(schema.minItems, schema.maxItems, 'minItems', path),
      ...(Array.isArray(items)
        ? items.flatMap((each, index) => schemaProblems(each, [...path, 'items', index]))
        : schemaProblems(items, [...path, 'items'])),
    ];
  }
  return schema.type === 'boolean' ? [] : valueProblems(schema, path);
}

type ValueSchema = Extract<JsonSchemaDefinition, { type: 'string' | 'number' | 'integer' }>;

function valueProblems(schema: ValueSchema, path: (string | number)[]): ToolProblem[] {
  const given: [(string | number)[], string | number][] = [
    ...(schema.default === undefined
      ? []
      : [[[...path, 'default'], schema.default] satisfies [typeof path, string | number]]),
    ...(schema.examples ?? []).map((value, index): [typeof path, string | number] => [
      [...path, 'examples', index],
      value,
    ]),
  ];
  const bounds =
    schema.type === 'string'
      ? boundsProblem(schema.minLength, schema.maxLength, 'minLength', path)
      : boundsProblem(schema.minimum, schema.maximum, 'minimum', path);
  return [
    ...bounds,
    ...given.flatMap(([at, value]) => {
      const why = misfit(value, schema);
      return why === null ? [] : [{ path: at, message: `${JSON.stringify(value)} ${why}` }];
    }),
  ];
}

function misfit(value: string | number, schema: ValueSchema): string | null {
  const allowed: readonly (string | number)[] | undefined = schema.enum;
  if (allowed && !allowed.includes(value))
    return `is not one of ${allowed.map((each) => JSON.stringify(each)).join(', ')}`;
  if (schema.type === 'string') {
    // JSON Schema counts characters, not code units.
    const length = [...String(value)].length;
    if (schema.minLength !== undefined && length < schema.minLength)
      return `is shorter than ${schema.minLength} characters`;
    if (schema.maxLength !== undefined && length > schema.maxLength)
      return `is longer than ${schema.maxLength} characters`;
    return null;
  }
  if (schema.minimum !== undefined && Number(value) < schema.minimum) return `is less than ${schema.minimum}`;
  if (schema.maximum !== undefined && Number(value) > schema.maximum)
    return `is greater than ${schema.maximum}`;
  return null;
}

function boundsProblem(
  least: number | undefined,
  most: number | undefined,
  name: string,
  path: (string | number)[],
): ToolProblem[] {
  if (least === undefined || most === undefined || least <= most) return [];
  return [{ path: [...path, name], message: `${least} is greater than the maximum ${most}` }];
}
