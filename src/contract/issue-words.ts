import type { z } from 'zod';
import type { KeyPath } from './config-lines.ts';

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

/** Describes a validation issue, for example: `agents.x.tools` must be a list, not text. */
export function describeIssue(issue: z.core.$ZodIssue, root: unknown): string {
  const path = pathOf(issue);
  const value = valueAt(root, path);
  if (issue.code === 'invalid_type') {
    const expected = kinds[issue.expected] ?? issue.expected;
    return value === undefined
      ? `${renderPath(path)} is missing; it must be ${expected}`
      : `${renderPath(path)} must be ${expected}, not ${kindOf(value)}`;
  }
  if (issue.code === 'invalid_value') {
    const allowed = issue.values.map((one) => JSON.stringify(String(one))).join(', ');
    const given = value === undefined ? '; it is missing' : `, not ${brief(value)}`;
    return `${renderPath(path)} must be ${issue.values.length > 1 ? 'one of ' : ''}${allowed}${given}`;
  }
  if (typeof value === 'number' && (issue.code === 'too_small' || issue.code === 'too_big')) {
    const [bound, words] =
      issue.code === 'too_small'
        ? [issue.minimum, issue.inclusive === false ? 'more than' : 'at least']
        : [issue.maximum, issue.inclusive === false ? 'less than' : 'at most'];
    return `${renderPath(path)} must be ${words} ${bound}, not ${value}`;
  }
  if (issue.code === 'invalid_union') {
    // Report the alternative that matched furthest.
    const depth = (issues: readonly z.core.$ZodIssue[]) => Math.max(...issues.map((one) => one.path.length));
    const meant = issue.errors
      .filter((one) => one.length > 0)
      .toSorted((a, b) => depth(b) - depth(a))[0]?.[0];
    if (meant) return describeIssue({ ...meant, path: [...issue.path, ...meant.path] }, root);
  }
  const joint = /^[a-z]/.test(issue.message) ? ' ' : ': ';
  return `${renderPath(path)}${joint}${issue.message}`;
}

export function valueAt(root: unknown, path: KeyPath): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a table',
  record: 'a table',
};

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value === null) return 'nothing';
  return kinds[typeof value] ?? typeof value;
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
