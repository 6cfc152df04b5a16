import { isDeepStrictEqual } from 'node:util';
import type { FieldChange } from '../contract/revision.ts';

/** The differences between two definitions, field by field; list items are matched by id or name. */
export function changesBetween(before: unknown, after: unknown, path = ''): FieldChange[] {
  if (isDeepStrictEqual(before, after)) return [];
  const left = fieldsOf(before);
  const right = fieldsOf(after);
  if (!left || !right) return [{ path, before: before ?? null, after: after ?? null }];
  const names = new Set([...left.keys(), ...right.keys()]);
  const changes = [...names].flatMap((name) =>
    changesBetween(left.get(name), right.get(name), path ? `${path}.${name}` : name),
  );
  // A different order of the same items.
  return changes.length > 0 ? changes : [{ path, before: [...left.keys()], after: [...right.keys()] }];
}

function fieldsOf(value: unknown): Map<string, unknown> | null {
  if (typeof value !== 'object' || value === null) return null;
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  const keyed = new Map<string, unknown>();
  for (const item of value) {
    const key = keyOf(item);
    if (key === null || keyed.has(key)) return null;
    keyed.set(key, item);
  }
  return keyed;
}

function keyOf(item: unknown): string | null {
  if (typeof item !== 'object' || item === null) return null;
  if ('id' in item && typeof item.id === 'string') return item.id;
  if ('name' in item && typeof item.name === 'string') return item.name;
  return null;
}
