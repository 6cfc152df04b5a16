import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { ZooError } from '../contract/errors.ts';
import type { ToolDescriptor } from '../contract/tool.ts';
import type * as ajv from './ajv.ts';

type JsonSchema = Record<string, unknown>;
type Compile = (schema: JsonSchema) => ValidateFunction;

/** Checks arguments against a tool's schema. Answers a copy with defaults filled in; throws if any are wrong. */
export type ValidateArguments = (
  tool: Pick<ToolDescriptor, 'name' | 'inputSchema'>,
  args: Record<string, unknown>,
) => Promise<Record<string, unknown>>;

export const validateArguments: ValidateArguments = createValidateArguments(() => import('./ajv.ts'));

/** `load` brings the validator at the first call; after a failure it is tried again. */
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
    const issues = (validate.errors ?? []).map(describe);
    throw new ZooError('invalid_arguments', `${name}: ${issues.join('; ')}`, { issues });
  };
}

/**
 * Schemas of servers come in every dialect, may be invalid, and may share an id. One that cannot be compiled is not
 * checked here: the server checks its arguments by itself. The same goes for patterns without a linear-time engine.
 */
function createCompiler({ Ajv, Ajv2020, compileOutsidePattern }: typeof ajv): Compile {
  const linear = (pattern: string, flags: string) =>
    compileOutsidePattern(pattern, flags) ?? { test: () => true };
  // ajv only uses `code` for validators that are written to a file.
  const regExp = Object.assign(linear, { code: 'linear' });
  const options = {
    allErrors: true,
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
    // The dialect is found by trying.
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

function describe(error: ErrorObject): string {
  const place = error.instancePath.slice(1).replaceAll('/', '.');
  if (error.keyword === 'required') return `${join(place, String(error.params.missingProperty))} is required`;
  if (error.keyword === 'additionalProperties') {
    return `${join(place, String(error.params.additionalProperty))} is not an argument of this tool`;
  }
  if (error.keyword === 'enum') return `${place} must be one of ${String(error.params.allowedValues)}`;
  return `${place || 'the arguments'} ${error.message ?? 'are wrong'}`;
}

function join(place: string, name: string): string {
  return place ? `${place}.${name}` : name;
}
