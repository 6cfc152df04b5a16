import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { ZooError } from '../contract/errors.ts';
import { kindName, kindOf, mustBeOneOf, valueAt } from '../contract/parsing/issue-words.ts';
import { suggestKey } from '../contract/parsing/known-keys.ts';
import { nearest } from '../contract/nearest.ts';
import type { ToolDescriptor } from '../contract/tool.ts';
import type * as ajv from './ajv.ts';

type JsonSchema = Record<string, unknown>;
type Compile = (schema: JsonSchema) => ValidateFunction;

/** Checks arguments against a tool's schema. Returns a copy with defaults; throws if any are invalid. */
export type ValidateArguments = (
  tool: Pick<ToolDescriptor, 'name' | 'inputSchema'>,
  args: Record<string, unknown>,
) => Promise<Record<string, unknown>>;

export const validateArguments: ValidateArguments = createValidateArguments(() => import('./ajv.ts'));

/** `load` loads the validator on the first call, and again after a failure. */
export function createValidateArguments(load: () => Promise<typeof ajv>): ValidateArguments {
  const validators = new WeakMap<object, ValidateFunction>();
  let compiler: Promise<Compile> | undefined;

  async function validatorFor(schema: JsonSchema): Promise<ValidateFunction> {
    const known = validators.get(schema);
    if (known) return known;
    compiler ??= load().then(createCompiler);
    const compile = await compiler.catch((error: unknown) => {
      compiler = undefined;
      throw error;
    });
    const validate = compile(schema);
    validators.set(schema, validate);
    return validate;
  }

  return async ({ name, inputSchema }, args) => {
    const validate = await validatorFor(inputSchema);
    const filled = structuredClone(args);
    if (validate(filled)) return filled;
    const errors = validate.errors ?? [];
    const issues = errors.map((error) => describe(error, filled));
    const missing = errors.find(({ keyword, instancePath }) => keyword === 'required' && instancePath === '');
    throw new ZooError('invalid_arguments', `${name}: ${issues.join('; ')}`, {
      issues,
      ...(missing && { missing: String(missing.params.missingProperty) }),
    });
  };
}

/** The first mistake in a JSON Schema; null if there is none. Its dialect may be an older one. */
export async function schemaProblem(schema: JsonSchema): Promise<string | null> {
  const { Ajv, Ajv2020 } = await import('./ajv.ts');
  const { $schema: _, ...rest } = schema;
  const checks = [new Ajv2020({ strict: false, logger: false }), new Ajv({ strict: false, logger: false })];
  if (checks.some((ajv) => ajv.validateSchema(rest) === true)) return null;
  const [error] = checks[0]?.errors ?? [];
  return error ? describe(error, rest) : 'it cannot be read';
}

/**
 * Schemas of servers come in every dialect, may be invalid, and may share an id. One that cannot be compiled is not
 * checked here: the server checks its arguments itself. The same goes for patterns that need backtracking.
 */
function createCompiler({ Ajv, Ajv2020, compileOutsidePattern }: typeof ajv): Compile {
  const linear = (pattern: string, flags: string) =>
    compileOutsidePattern(pattern, flags) ?? { test: () => true };
  // ajv only uses `code` for validators that are written to a file.
  const regExp = Object.assign(linear, { code: 'linear' });
  const options = {
    allErrors: true,
    verbose: true,
    useDefaults: true,
    strict: false,
    validateFormats: false,
    logger: false,
    code: { regExp },
  } as const;
  const shared = new Ajv2020(options);
  const attempts: Compile[] = [
    (schema) => shared.compile(schema),
    (schema) => new Ajv2020(options).compile(schema),
    (schema) => new Ajv(options).compile(schema),
  ];
  return (schema) => {
    // Tries one dialect after another.
    const { $schema: _, ...rest } = schema;
    for (const attempt of attempts) {
      try {
        return attempt(rest);
      } catch {
        continue;
      }
    }
    return shared.compile({});
  };
}

function describe(error: ErrorObject, args: unknown): string {
  const path = error.instancePath
    .slice(1)
    .split('/')
    .filter((part) => part !== '')
    .map(unescape);
  const place = path.join('.') || 'the arguments';
  const value = valueAt(args, path);
  const { keyword, params } = error;
  if (keyword === 'required') return describeMissing(error, path, value);
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
    const name = String(params.additionalProperty ?? params.unevaluatedProperty);
    const known = propertiesOf(error);
    return `${[...path, name].join('.')} is not an argument of this tool. ${suggestKey(name, known)}`;
  }
  if (keyword === 'enum') {
    const allowed: unknown[] = Array.isArray(params.allowedValues) ? params.allowedValues : [];
    return `${place} ${mustBeOneOf(allowed, value)}`;
  }
  if (keyword === 'const') return `${place} ${mustBeOneOf([params.allowedValue], value)}`;
  if (keyword === 'type') {
    const expected = [params.type].flat().map((type) => kindName(String(type)));
    return `${place} must be ${expected.join(' or ')}, not ${kindOf(value)}`;
  }
  return `${place} ${limits[keyword]?.(Number(params.limit)) ?? error.message ?? 'is invalid'}`;
}

/** Names the missing argument, and the one that was probably meant for it. */
function describeMissing(error: ErrorObject, path: readonly string[], value: unknown): string {
  const name = String(error.params.missingProperty);
  const known = propertiesOf(error);
  const given = keysOf(value).filter((key) => !known.includes(key));
  const typed = nearest(name, given);
  const instead = typed === null ? '' : ` ('${typed}' was given; did you mean '${name}'?)`;
  return `${[...path, name].join('.')} is missing${instead}`;
}

const propertiesOf = ({ parentSchema }: ErrorObject): string[] => keysOf(parentSchema?.['properties']);

const keysOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.keys(value) : [];

const unescape = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

const limits: Readonly<Record<string, (limit: number) => string>> = {
  minLength: (limit) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
  maxLength: (limit) => `must have at most ${limit} characters`,
  minItems: (limit) => (limit === 1 ? 'must not be empty' : `must have at least ${limit} entries`),
  maxItems: (limit) => `must have at most ${limit} entries`,
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
  exclusiveMinimum: (limit) => `must be more than ${limit}`,
  exclusiveMaximum: (limit) => `must be less than ${limit}`,
};
