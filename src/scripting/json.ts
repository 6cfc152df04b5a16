import type { Json } from './sandbox.ts';

/** A value as JSON. Throws for cycles and anything else that JSON cannot hold. */
export function toJson(value: unknown): Json {
  return convert(value, []) ?? null;
}

/** The same for an object; anything else becomes an empty one. */
export function toJsonTable(value: unknown): Record<string, Json> {
  const json = toJson(value);
  return isJsonTable(json) ? json : {};
}

export function isJsonTable(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function convert(value: unknown, inside: readonly object[]): Json | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'bigint') throw new TypeError('JSON cannot hold a BigInt');
  if (typeof value !== 'object') return undefined;
  if (inside.includes(value)) throw new TypeError('it contains itself');
  const around = [...inside, value];
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    const said: unknown = Reflect.apply(value.toJSON, value, []);
    return convert(said, around);
  }
  if (Array.isArray(value)) return value.map((item: unknown) => convert(item, around) ?? null);
  const entries = Object.entries(value).flatMap(([key, item]: [string, unknown]) => {
    const json = convert(item, around);
    return json === undefined ? [] : [[key, json] as const];
  });
  return Object.fromEntries(entries);
}
