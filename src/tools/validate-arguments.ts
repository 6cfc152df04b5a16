import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { ZooError } from '../contract/errors.ts';
import type * as ajv from './ajv.ts';
import type { ToolDescriptor } from '../contract/tool.ts';

const OPTIONS = {
  allErrors: true,
  useDefaults: true,
  strict: false,
  validateFormats: false,
  logger: false,
} as const;

type Compile = (schema: Record<string, unknown>) => ValidateFunction;

let compiler: Promise<Compile> | undefined;
const validators = new WeakMap<object, ValidateFunction>();

/** A copy of the arguments with defaults filled in. Throws an error that names each argument that is wrong. */
export async function validateArguments(
  { name, inputSchema }: ToolDescriptor,
  args: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const validate = await validatorFor(inputSchema);
  const filled = structuredClone(args);
  if (validate(filled)) return filled;
  const issues = (validate.errors ?? []).map(describe);
  throw new ZooError('invalid_arguments', `${name}: ${issues.join('; ')}`, { issues });
}

async function validatorFor(schema: Record<string, unknown>): Promise<ValidateFunction> {
  const known = validators.get(schema);
  if (known) return known;
  compiler ??= import('./ajv.ts').then(createCompiler);
  const validate = (await compiler)(schema);
  validators.set(schema, validate);
  return validate;
}

/**
 * Schemas of servers come in every dialect, and may say nonsense or share an id. What cannot be understood is not
 * checked here: the server looks at its arguments by itself.
 */
function createCompiler({ Ajv, Ajv2020 }: typeof ajv): Compile {
  const shared = new Ajv2020(OPTIONS);
  const attempts: Compile[] = [
    (schema) => shared.compile(schema),
    (schema) => new Ajv2020(OPTIONS).compile(schema),
    (schema) => new Ajv(OPTIONS).compile(schema),
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
