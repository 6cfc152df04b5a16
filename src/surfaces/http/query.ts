import * as z from 'zod';
import { ZooError } from '../../contract/errors.ts';
import { parse } from '../../contract/parsing/parse.ts';
import { nearest } from '../../contract/nearest.ts';

/** Accepted by every operation, whatever its own query is. */
const GLOBAL_KEYS = ['workspace', 'agent'];

export interface Query {
  values: Record<string, unknown>;
  workspace: string | undefined;
  agent: string | undefined;
}

type Kind = 'string' | 'number' | 'boolean';
interface Field {
  kind: Kind;
  list: boolean;
}

const NOTHING: Query = Object.freeze({ values: Object.freeze({}), workspace: undefined, agent: undefined });

/** Compiles the parser for an operation's query string. */
export function compileQuery(schema: z.ZodObject | undefined): (search: string) => Query {
  const fields = new Map(Object.entries(schema?.shape ?? {}).map(([name, field]) => [name, fieldOf(field)]));
  return (search) => {
    if (search === '' && !schema) return NOTHING;
    const globals = new Map<string, string>();
    const found: Record<string, unknown> = {};
    for (const [name, raw] of pairs(search)) {
      const field = fields.get(name);
      if (GLOBAL_KEYS.includes(name)) globals.set(name, onlyOnce(name, globals.has(name), decode(raw, name)));
      if (field?.list)
        found[name] = [...listOf(found[name]), ...raw.split(',').map((item) => coerce(field, item, name))];
      else if (field) found[name] = onlyOnce(name, Object.hasOwn(found, name), coerce(field, raw, name));
      else if (!globals.has(name)) throw unknownKey(name, [...new Set([...fields.keys(), ...GLOBAL_KEYS])]);
    }
    return {
      values: schema ? parse(schema, found) : found,
      workspace: globals.get('workspace'),
      agent: globals.get('agent'),
    };
  };
}

/** Compiles the parser for path parameters; most are text and need none. */
export function compileParams(
  schema: z.ZodObject | undefined,
): (params: Record<string, string>) => Record<string, unknown> {
  const fields = Object.entries(schema?.shape ?? {}).map(([name, field]) => ({ name, ...fieldOf(field) }));
  if (!schema || fields.every(({ kind, name }) => kind === 'string' && isAnyText(schema.shape[name]))) {
    return (params) => params;
  }
  return (params) =>
    parse(
      schema,
      Object.fromEntries(fields.map((field) => [field.name, fromText(field.kind, params[field.name] ?? '')])),
    );
}

function fieldOf(schema: unknown): Field {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return fieldOf(schema.unwrap());
  if (schema instanceof z.ZodArray) return { ...fieldOf(schema.element), list: true };
  if (schema instanceof z.ZodNumber) return { kind: 'number', list: false };
  if (schema instanceof z.ZodBoolean) return { kind: 'boolean', list: false };
  return { kind: 'string', list: false };
}

const isAnyText = (schema: unknown): boolean =>
  schema instanceof z.ZodString && (schema.def.checks ?? []).length === 0;

function pairs(search: string): [name: string, raw: string][] {
  return search
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? [decode(pair), ''] : [decode(pair.slice(0, at)), pair.slice(at + 1)];
    });
}

function decode(text: string, name?: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new ZooError(
      'invalid_arguments',
      `${name ?? 'query'}: ${JSON.stringify(text)} is not percent-encoded UTF-8`,
    );
  }
}

const coerce = ({ kind }: Field, raw: string, name: string): unknown => fromText(kind, decode(raw, name));

/** Values that cannot be converted stay text, and the schema reports them. */
function fromText(kind: Kind, text: string): unknown {
  if (kind === 'number' && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function onlyOnce<T>(name: string, again: boolean, value: T): T {
  if (again) throw new ZooError('invalid_arguments', `${name}: is given more than once`);
  return value;
}

function unknownKey(name: string, known: string[]): ZooError {
  const meant = nearest(name, known);
  const hint = meant === null ? `Known: ${known.join(', ')}.` : `Did you mean \`${meant}\`?`;
  return new ZooError('invalid_arguments', `Unknown query parameter \`${name}\`. ${hint}`, {
    parameter: name,
  });
}
