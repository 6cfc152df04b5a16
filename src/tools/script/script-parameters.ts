import * as z from 'zod';
import { meantIssue, renderPath, sentence } from '../../contract/parsing/issue-words.ts';
import type { Json } from '../../scripting/sandbox.ts';

type JsonSchema = Record<string, unknown>;

const types = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const;

/** An entry of a parameter list; other keys are JSON Schema and are kept. */
const Parameter = z.looseObject({
  name: z.string().regex(/^[A-Za-z_][\w.-]{0,63}$/, 'must be a name of letters, digits, `_`, `-` and `.`'),
  type: z.enum(types).optional(),
  required: z.boolean().optional(),
  description: z.string().optional(),
  enum: z.array(z.union([z.string(), z.number(), z.boolean()])).optional(),
});

const InputSchema = z.looseObject({
  type: z.literal('object'),
  properties: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  required: z.array(z.string()).optional(),
});

/** The metadata of a tool script. */
const Facts = z.strictObject({
  name: z.string().optional(),
  title: z.string().min(1).optional(),
  description: z.string().max(10_000).optional(),
  parameters: z.unknown().optional(),
  annotations: z
    .strictObject({
      readOnlyHint: z.boolean().optional(),
      destructiveHint: z.boolean().optional(),
      idempotentHint: z.boolean().optional(),
      openWorldHint: z.boolean().optional(),
    })
    .optional(),
});

export interface ScriptToolFacts {
  title: string | undefined;
  description: string;
  inputSchema: JsonSchema;
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

/** Without annotations, the worst is assumed. */
const UNKNOWN_EFFECT = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

export type ParsedTool = { facts: ScriptToolFacts; problems: [] } | { facts: null; problems: string[] };

export function parseToolFacts(table: Record<string, Json>): ParsedTool {
  const own = Object.fromEntries(Object.entries(table).filter(([key]) => !key.startsWith('_')));
  const parsed = Facts.safeParse(own);
  if (!parsed.success) return { facts: null, problems: words(parsed.error, own, []) };
  const { title, name, description = '', parameters = [], annotations = {} } = parsed.data;
  const schema = parseParameters(parameters);
  if ('problems' in schema) return { facts: null, problems: schema.problems };
  const said = Object.fromEntries(Object.entries(annotations).filter(([, value]) => value !== undefined));
  return {
    facts: {
      title: title ?? name,
      description,
      inputSchema: schema.inputSchema,
      annotations: { ...UNKNOWN_EFFECT, ...said },
    },
    problems: [],
  };
}

/** Accepts a list of parameters or JSON Schema; returns JSON Schema. */
function parseParameters(parameters: unknown): { inputSchema: JsonSchema } | { problems: string[] } {
  if (!Array.isArray(parameters)) {
    const repaired = withTables(parameters);
    const parsed = InputSchema.safeParse(repaired);
    if (!parsed.success) return { problems: words(parsed.error, repaired, ['parameters']) };
    return { inputSchema: parsed.data };
  }
  const parsed = z.array(Parameter).safeParse(parameters);
  if (!parsed.success) return { problems: words(parsed.error, parameters, ['parameters']) };
  const names = parsed.data.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return { problems: [`parameters: duplicate name '${twice}'`] };
  return {
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        parsed.data.map(({ name, required: _required, ...schema }) => [name, withTables(schema)]),
      ),
      required: parsed.data.filter(({ required }) => required).map(({ name }) => name),
      additionalProperties: false,
    },
  };
}

const TABLES = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'items',
  'additionalProperties',
]);

/** Lua cannot tell an empty list from an empty table; in JSON Schema the key decides. */
function withTables(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withTables);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]: [string, unknown]) => {
      if (TABLES.has(key) && Array.isArray(value) && value.length === 0) return [key, {}];
      // Defaults and examples may be either.
      return [key, key === 'default' || key === 'examples' || key === 'enum' ? value : withTables(value)];
    }),
  );
}

/** Lua counts from one. */
function words(error: z.ZodError, root: unknown, at: readonly string[]): string[] {
  return error.issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return `${issue.keys.join(', ')}: unknown field; known fields are name, title, description, parameters, annotations`;
    }
    const { path, words: rest } = meantIssue(issue, { root, notation: 'toml' });
    const counted = path.map((part) => (typeof part === 'number' ? part + 1 : part));
    return sentence(renderPath([...at, ...counted]), rest);
  });
}
