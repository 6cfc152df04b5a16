import { getNodeValue, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import { BrokenConfig, isTable, lineOf } from './format.ts';
import type { ConfigFormat, Table } from './format.ts';
import { insertProperty, removeProperty, replaceValue } from './jsonc-edits.ts';

/** JSON with comments and trailing commas, which most clients allow. */
export const jsonc: ConfigFormat = {
  parse(text) {
    const value: unknown = getNodeValue(parseRoot(text));
    return isTable(value) ? value : {};
  },
  patch: (text, path, patch) => patchAt(text.trim() === '' ? '{}\n' : text, path, patch),
  remove(text, path) {
    const key = path.at(-1);
    const object = objectAt(text, path.slice(0, -1));
    const property = object && key !== undefined ? propertyOf(object, key) : undefined;
    return object && property ? removeProperty(text, object, property) : text;
  },
};

/**
 * Not with `modify` of jsonc-parser, which reformats every line that it touches and moves the comment after the
 * last entry.
 */
function patchAt(text: string, path: readonly string[], patch: Table): string {
  const { object, rest } = deepest(text, path);
  const [key, ...deeper] = rest;
  if (key !== undefined) {
    return insertProperty(text, object, key, nest(deeper, present(patch)));
  }
  let edited = text;
  for (const [name, value] of Object.entries(patch)) edited = setKey(edited, path, name, value);
  return edited;
}

function setKey(text: string, path: readonly string[], key: string, value: unknown): string {
  const { object } = deepest(text, path);
  const property = propertyOf(object, key);
  const old = property?.children?.[1];
  if (!property || !old) {
    const empty = isTable(value) && Object.keys(present(value)).length === 0;
    if (value === undefined || empty) return text;
    return insertProperty(text, object, key, isTable(value) ? present(value) : value);
  }
  if (value === undefined) return removeProperty(text, object, property);
  if (isTable(value) && old.type === 'object') return patchAt(text, [...path, key], value);
  const wanted = isTable(value) ? present(value) : value;
  const before: unknown = getNodeValue(old);
  return JSON.stringify(before) === JSON.stringify(wanted) ? text : replaceValue(text, old, wanted);
}

/** The deepest existing object on the path, and the missing keys. */
function deepest(text: string, path: readonly string[]): { object: Node; rest: readonly string[] } {
  let object = parseRoot(text);
  for (const [index, key] of path.entries()) {
    const value = propertyOf(object, key)?.children?.[1];
    if (!value) return { object, rest: path.slice(index) };
    if (value.type !== 'object') {
      throw new BrokenConfig(`"${key}" must be an object`, lineOf(text, value.offset));
    }
    object = value;
    refuseTwice(text, object);
  }
  return { object, rest: [] };
}

function objectAt(text: string, path: readonly string[]): Node | null {
  const { object, rest } = deepest(text, path);
  return rest.length === 0 ? object : null;
}

function parseRoot(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text.trim() === '' ? '{}' : text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) {
    const words = printParseErrorCode(first.error).replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ');
    throw new BrokenConfig(words.toLowerCase(), lineOf(text, first.offset));
  }
  if (root?.type !== 'object') throw new BrokenConfig('it must contain an object, { … }', 1);
  refuseTwice(text, root);
  return root;
}

/** Programs disagree on which of two equal keys wins. */
function refuseTwice(text: string, object: Node): void {
  const seen = new Set<string>();
  for (const { children } of object.children ?? []) {
    const key = children?.[0];
    const name = String(key?.value);
    if (key && seen.has(name)) throw new BrokenConfig(`duplicate key "${name}"`, lineOf(text, key.offset));
    seen.add(name);
  }
}

function propertyOf(object: Node, key: string): Node | undefined {
  return object.children?.find(({ children }) => children?.[0]?.value === key);
}

/** Without undefined values. */
function present(table: Table): Table {
  return Object.fromEntries(
    Object.entries(table).flatMap(([key, value]) => {
      if (value === undefined) return [];
      if (!isTable(value)) return [[key, value]];
      const inner = present(value);
      return Object.keys(inner).length === 0 ? [] : [[key, inner]];
    }),
  );
}

function nest(path: readonly string[], value: Table): Table {
  return path.reduceRight<Table>((inner, key) => ({ [key]: inner }), value);
}
