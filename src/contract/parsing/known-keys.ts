import * as z from 'zod';
import { nearest } from '../nearest.ts';

export type KeyPath = readonly (string | number)[];

export function knownKeys(schema: unknown, path: KeyPath): string[] {
  const schemas = schemasAt(schema, path);
  return [...new Set(schemas.flatMap((one) => (one instanceof z.ZodObject ? Object.keys(one.shape) : [])))];
}

function schemasAt(schema: unknown, path: KeyPath): unknown[] {
  return path.reduce<unknown[]>(
    (schemas, key) => schemas.flatMap((one) => below(one, key)).flatMap(unwrap),
    unwrap(schema),
  );
}

/** The values that a schema allows at a path; empty where they are not listed one by one. */
export function allowedValues(schema: unknown, path: KeyPath): unknown[] {
  return schemasAt(schema, path).flatMap((one) => (one instanceof z.ZodLiteral ? [...one.values] : []));
}

/** What to do about an unknown key. */
export function suggestKey(key: string, known: readonly string[]): string {
  if (known.length === 0) return 'Remove it.';
  const near = nearest(key, known);
  return near === null ? listKnown(known) : `Did you mean \`${near}\`?`;
}

const listKnown = (known: readonly string[]): string =>
  `Known here: ${known.map((name) => `\`${name}\``).join(', ')}.`;

function below(schema: unknown, key: string | number): unknown[] {
  if (schema instanceof z.ZodObject) {
    return [Object.hasOwn(schema.shape, key) ? schema.shape[key] : schema.def.catchall];
  }
  if (schema instanceof z.ZodRecord) return [schema.valueType];
  if (schema instanceof z.ZodArray) return [schema.element];
  return [];
}

function unwrap(schema: unknown): unknown[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodLazy) {
    return unwrap(schema.unwrap());
  }
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return unwrap(schema.unwrap());
  if (schema instanceof z.ZodPipe) return [...unwrap(schema.in), ...unwrap(schema.out)];
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(unwrap);
  return schema === undefined ? [] : [schema];
}
