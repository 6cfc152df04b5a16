import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { ZooError } from '../contract/errors.ts';
import type { ToolDescriptor } from '../contract/tool.ts';

let ajv: Promise<Ajv2020> | undefined;
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
  ajv ??= import('./ajv.ts').then(
    ({ Ajv2020 }) =>
      new Ajv2020({
        allErrors: true,
        useDefaults: true,
        strict: false,
        validateFormats: false,
        logger: false,
      }),
  );
  const validate = (await ajv).compile(schema);
  validators.set(schema, validate);
  return validate;
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
