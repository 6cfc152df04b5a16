import type { ModuleArgument, ModuleContext, StandardSchema } from '../../contract/package/agent-module.ts';
import { ZooError } from '../../contract/errors.ts';
import { isIssue, meantIssue, sentence } from '../../contract/parsing/issue-words.ts';
import { toJson } from '../json.ts';
import type { Json } from '../sandbox.ts';
import { messageOf } from '../../platform/text/error-message.ts';

/** A checked agent of a module. */
interface LoadedAgent {
  facts: Record<string, unknown>;
  schema: StandardSchema | null;
  resolve: (args: unknown, ctx: ModuleContext) => unknown;
}

/** The module's description of its agent, in the form of a script's table. Throws `agent_error`. */
export function describeModule(exported: unknown): Json {
  const { facts, schema } = loadedAgent(exported);
  const { resolve: _resolve, arguments: list, argumentList, ...rest } = facts;
  return answer({ ...rest, arguments: schema ? (argumentList ?? listArguments(schema)) : list });
}

/** Throws `invalid_arguments` if the schema rejects the arguments, or whatever the module throws. */
export async function runModule(
  exported: unknown,
  args: Readonly<Record<string, unknown>>,
  ctx: ModuleContext,
): Promise<Json> {
  const { schema, resolve } = loadedAgent(exported);
  return answer(await resolve(schema ? await validate(schema, args) : args, ctx));
}

function loadedAgent(exported: unknown): LoadedAgent {
  const { default: fallback, agent = fallback } = isRecord(exported) ? exported : {};
  // Without a default export, the module itself is checked; without a name it is not an agent.
  if (!isRecord(agent) || (agent.resolve === undefined && agent.name === undefined)) {
    throw new ZooError(
      'agent_error',
      'the module exports no agent: write `export default defineAgent({ … })`, or export it as `agent`',
    );
  }
  const { resolve } = agent;
  if (typeof resolve !== 'function') {
    throw new ZooError('agent_error', 'resolve: must be a function');
  }
  const schema = isStandardSchema(agent.arguments) ? agent.arguments : null;
  return { facts: { ...agent }, schema, resolve: (args, ctx): unknown => resolve.call(agent, args, ctx) };
}

function answer(value: unknown): Json {
  try {
    return toJson(value);
  } catch (error) {
    throw new ZooError('agent_error', `the result cannot be converted to JSON: ${messageOf(error)}`);
  }
}

function isStandardSchema(value: unknown): value is StandardSchema {
  // arktype's schemas are functions.
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard: unknown = Reflect.get(value, '~standard');
  return isRecord(standard) && typeof standard.validate === 'function';
}

interface JsonSchema {
  properties: Record<string, unknown>;
  required: readonly unknown[];
}

/** For schemas that implement Standard JSON Schema; null for others. */
function jsonSchemaOf(schema: StandardSchema): JsonSchema | null {
  const jsonSchema: unknown = Reflect.get(schema['~standard'], 'jsonSchema');
  if (!isRecord(jsonSchema) || typeof jsonSchema.input !== 'function') return null;
  const made: unknown = Reflect.apply(jsonSchema.input, jsonSchema, [{ target: 'draft-2020-12' }]);
  if (!isRecord(made)) return null;
  const { properties, required } = made;
  return {
    properties: isRecord(properties) ? properties : {},
    required: Array.isArray(required) ? required : [],
  };
}

function listArguments(schema: StandardSchema): ModuleArgument[] {
  const known = jsonSchemaOf(schema);
  if (!known) {
    const { vendor } = schema['~standard'];
    throw new ZooError(
      'agent_error',
      `arguments: this schema of ${vendor} cannot describe its arguments; list them in \`argumentList\``,
    );
  }
  return Object.entries(known.properties).map(([name, property]) => {
    const { description, default: fallback } = isRecord(property) ? property : {};
    return {
      name,
      required: known.required.includes(name),
      ...(typeof description === 'string' ? { description } : {}),
      ...(fallback === undefined
        ? {}
        : { default: typeof fallback === 'string' ? fallback : JSON.stringify(fallback) }),
    };
  });
}

async function validate(schema: StandardSchema, args: Readonly<Record<string, unknown>>): Promise<unknown> {
  const given = fromText(args, jsonSchemaOf(schema));
  const result = await schema['~standard'].validate(given);
  if (!result.issues) return result.value;
  const issues = result.issues.map((issue) => {
    const keys = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part));
    // Other libraries have messages of their own.
    const { message: said } = issue;
    const words = isIssue(issue) ? meantIssue(issue, { root: given }).words : said;
    return { path: ['arguments', ...keys].join('.'), message: words };
  });
  const message = issues.map((issue) => sentence(issue.path, issue.message)).join('; ');
  throw new ZooError('invalid_arguments', message, { issues });
}

/** MCP prompts carry only text: for other types, the text is parsed as JSON. */
function fromText(
  args: Readonly<Record<string, unknown>>,
  schema: JsonSchema | null,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      const property = schema?.properties[name];
      if (typeof value !== 'string' || !isRecord(property) || takesText(property)) return [name, value];
      return [name, readJson(value)];
    }),
  );
}

function takesText({ type, enum: values }: Record<string, unknown>): boolean {
  if (type === undefined) return !Array.isArray(values) || values.some((value) => typeof value === 'string');
  return Array.isArray(type) ? type.includes('string') : type === 'string';
}

function readJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
