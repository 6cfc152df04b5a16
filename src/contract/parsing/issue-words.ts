import type { z } from 'zod';
import { allowedValues, type KeyPath, knownKeys, suggestKey } from './known-keys.ts';
import { nearest } from '../nearest.ts';

/** The words for values: TOML and Lua have tables, JSON has objects. */
export type Notation = 'json' | 'toml';

/** A path as TOML writes it: `agents."my agent".skills[0].name`. */
export function renderPath(path: KeyPath): string {
  return path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`;
      const key = /^[A-Za-z0-9_-]+$/.test(part) ? part : JSON.stringify(part);
      return index === 0 ? key : `.${key}`;
    })
    .join('');
}

/** The path that zod reports, without the symbols that JSON and TOML cannot have. */
export function pathOf(issue: z.core.$ZodIssue): (string | number)[] {
  return issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
}

/** Whether a value from elsewhere, such as another copy of zod, is an issue. */
export function isIssue(value: unknown): value is z.core.$ZodIssue {
  return (
    typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    typeof value.code === 'string' &&
    'message' in value &&
    typeof value.message === 'string' &&
    'path' in value &&
    Array.isArray(value.path)
  );
}

interface Checked {
  /** The whole value that was checked. */
  root: unknown;
  /** Suggests the nearest known key for an unknown one. */
  schema?: z.ZodType | undefined;
  notation?: Notation;
}

/** A whole sentence about an issue: `agents.x.tools must be a list, not text`. */
export function describeIssue(issue: z.core.$ZodIssue, checked: Checked): string {
  const { path, words } = meantIssue(issue, checked);
  return sentence(renderPath(path), words);
}

/** Joins a field with what is wrong with it. */
export function sentence(field: string, words: string): string {
  if (field === '') return words.startsWith('must') ? `the input ${words}` : words;
  return `${field}${/^[a-z]/.test(words) ? '' : ':'} ${words}`;
}

interface IssueWords {
  path: KeyPath;
  /** Follows the path: `must be a list, not text`. */
  words: string;
}

/** The field that an issue is about, and what is wrong with it. */
export function meantIssue(issue: z.core.$ZodIssue, checked: Checked): IssueWords {
  if (issue.code === 'invalid_union') {
    const inner = meantAlternative(issue);
    if (inner) return meantIssue({ ...inner, path: [...issue.path, ...inner.path] }, checked);
  }
  const path = pathOf(issue);
  const value = valueAt(checked.root, path);
  // Messages of our own schemas are written to follow the field.
  if (!isZodMessage(issue.message) && issue.code !== 'unrecognized_keys') {
    return { path, words: issue.message };
  }
  return { path, words: wordsFor(issue, value, path, checked) };
}

const isZodMessage = (message: string): boolean =>
  /^(?:Invalid|Too (?:small|big)|Unrecognized)\b/.test(message);

function wordsFor(issue: z.core.$ZodIssue, value: unknown, path: KeyPath, checked: Checked): string {
  const notation = checked.notation ?? 'json';
  switch (issue.code) {
    case 'invalid_type':
      return typeof value === 'number' && issue.expected === 'int'
        ? `must be a whole number, not ${value}`
        : mustBe(kindName(issue.expected, notation), value, notation);
    case 'invalid_value':
      return mustBeOneOf(issue.values, value);
    case 'invalid_union': {
      if (issue.errors.length > 0) return mustBe(alternatives(issue, notation), value, notation);
      const allowed = allowedValues(checked.schema, path);
      return allowed.length > 0
        ? mustBeOneOf(allowed, value)
        : `has an unknown ${issue.discriminator ?? 'form'}`;
    }
    case 'too_small':
    case 'too_big':
      return outOfRange(issue, value);
    case 'invalid_format':
      return issue.format === 'regex'
        ? `must match ${issue.pattern ?? 'a pattern'}`
        : `must be ${formats[issue.format] ?? `a valid ${issue.format}`}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return unknownKeys(issue.keys, path, checked.schema);
    case 'invalid_key':
      return 'has an invalid key';
    case 'invalid_element':
    case 'custom':
    default:
      return 'is invalid';
  }
}

/** Of several alternatives, the one that its author meant got furthest. */
function meantAlternative(issue: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue | undefined {
  const depth = (issues: readonly z.core.$ZodIssue[]) =>
    Math.max(...issues.map((one) => one.path.length + (one.code === 'invalid_type' ? 0 : 0.5)));
  const furthest = issue.errors.filter((one) => one.length > 0).toSorted((a, b) => depth(b) - depth(a))[0];
  return furthest && depth(furthest) > 0 ? furthest[0] : undefined;
}

function alternatives(issue: z.core.$ZodIssueInvalidUnion, notation: Notation): string {
  const kinds = issue.errors.flatMap(([one]) =>
    one?.code === 'invalid_type' ? [kindName(one.expected, notation)] : [],
  );
  return [...new Set(kinds)].join(' or ');
}

const mustBe = (kind: string, value: unknown, notation: Notation): string =>
  value === undefined ? `is missing (must be ${kind})` : `must be ${kind}, not ${kindOf(value, notation)}`;

/** Follows the name of a value: `must be one of "a", "b", not "c"`. */
export function mustBeOneOf(values: readonly unknown[], value: unknown): string {
  const names = values.map(String);
  const allowed = names.map((name) => JSON.stringify(name)).join(', ');
  const rule = names.length > 1 ? `must be one of ${allowed}` : `must be ${allowed}`;
  if (value === undefined) return `is missing (${rule})`;
  const near = typeof value === 'string' ? nearest(value, names) : null;
  const hint = near === null || names.length === 1 ? '' : `; did you mean ${JSON.stringify(near)}?`;
  return `${rule}, not ${brief(value)}${hint}`;
}

function outOfRange(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig, value: unknown): string {
  const small = issue.code === 'too_small';
  const bound = Number(small ? issue.minimum : issue.maximum);
  if (typeof value === 'number') {
    const words = small
      ? issue.inclusive === false
        ? 'more than'
        : 'at least'
      : issue.inclusive === false
        ? 'less than'
        : 'at most';
    return `must be ${words} ${bound}, not ${value}`;
  }
  if (small && bound === 1) return 'must not be empty';
  const unit = typeof value === 'string' ? 'characters' : 'entries';
  const length = typeof value === 'string' || Array.isArray(value) ? `, not ${value.length}` : '';
  return `must have ${small ? 'at least' : 'at most'} ${bound} ${unit}${length}`;
}

function unknownKeys(keys: readonly string[], path: KeyPath, schema: z.ZodType | undefined): string {
  const known = schema ? knownKeys(schema, path) : [];
  return keys
    .map((key) => `${path.length > 0 ? 'has an ' : ''}unknown field \`${key}\`. ${suggestKey(key, known)}`)
    .join(' ');
}

export function valueAt(root: unknown, path: KeyPath): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  nonoptional: 'given',
};

const formats: Readonly<Record<string, string>> = {
  url: 'a URL',
  email: 'an email address',
  datetime: 'a date and time such as 2026-11-15T08:20:00Z',
  date: 'a date such as 2026-11-15',
  uuid: 'a UUID',
};

const table: Readonly<Record<Notation, string>> = { json: 'an object', toml: 'a table' };

export const kindName = (expected: string, notation: Notation = 'json'): string =>
  expected === 'object' || expected === 'record' ? table[notation] : (kinds[expected] ?? expected);

export function kindOf(value: unknown, notation: Notation = 'json'): string {
  if (Array.isArray(value)) return 'a list';
  if (value === null) return notation === 'json' ? 'null' : 'nothing';
  // NaN and infinity, of which TOML has literals.
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return kindName(typeof value, notation);
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
