import { closest, distance } from 'fastest-levenshtein';
import * as z from 'zod';
import type { KeyPath } from './config-lines.ts';

/** Longer keys are not typos, and comparing them would take too long. */
const LONGEST_KEY = 200;

/** The keys that a schema knows at a path. */
export function knownKeys(schema: unknown, path: KeyPath): string[] {
  let schemas = unwrap(schema);
  for (const key of path) schemas = schemas.flatMap((one) => below(one, key)).flatMap(unwrap);
  return [...new Set(schemas.flatMap((one) => (one instanceof z.ZodObject ? Object.keys(one.shape) : [])))];
}

/** The hint for an unknown key. */
export function suggestKey(key: string, known: readonly string[]): string {
  if (known.length === 0) return 'Remove it.';
  if (key.length > LONGEST_KEY) return listKnown(known);
  const nearest = closest(key, [...known]);
  if (distance(key, nearest) <= Math.max(2, Math.floor(key.length / 2)))
    return `Did you mean \`${nearest}\`?`;
  return listKnown(known);
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
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(unwrap);
  return schema === undefined ? [] : [schema];
}
