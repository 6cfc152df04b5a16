import { stringify } from 'smol-toml';
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
import type { AST } from 'toml-eslint-parser';
import { applyPatch, BrokenConfig, isTable, valueAt } from './format.ts';
import type { ConfigFormat, Table } from './format.ts';

type Keys = readonly string[];
type Range = readonly [from: number, to: number];

/** Edits TOML as text: only our table is written, changed or removed. */
export const toml: ConfigFormat = {
  parse(text) {
    const value: unknown = getStaticTOMLValue(parse(text));
    return isTable(value) ? value : {};
  },
  patch(text, path, patch) {
    const before = valueAt(toml.parse(text), path);
    if (before === undefined) return append(text, path, applyPatch({}, patch));
    if (!piecesOf(text, path).some(({ header }) => header?.length === path.length)) {
      // Inline tables and dotted keys have no lines of their own to change.
      return append(toml.remove(text, path), path, applyPatch(before, patch));
    }
    return changesOf(patch).reduce((edited, [keys, value]) => setKey(edited, path, keys, value), text);
  },
  remove(text, path) {
    return piecesOf(text, path).reduceRight((edited, { node }) => cutLines(edited, node.range), text);
  },
};

/** A table or a key-value pair at or below a path. */
interface Piece {
  node: AST.TOMLTable | AST.TOMLKeyValue;
  /** All keys of a table; null for a pair. */
  header: Keys | null;
}

function piecesOf(text: string, path: Keys): Piece[] {
  const pieces: Piece[] = [];
  const look = (pair: AST.TOMLKeyValue, base: Keys): void => {
    const keys = [...base, ...keysOf(pair)];
    if (startsWith(keys, path)) pieces.push({ node: pair, header: null });
    // Parts of an inline table cannot be edited by line.
    else if (startsWith(path, keys) && valueAt(toml.parse(text), path) !== undefined) {
      throw new BrokenConfig(
        `${keys.join('.')} is an inline table: write it as [${path.join('.')}]`,
        lineAt(pair),
      );
    }
  };
  for (const item of parse(text).body[0].body) {
    if (item.type === 'TOMLKeyValue') look(item, []);
    else {
      const header = item.resolvedKey.map(String);
      if (startsWith(header, path)) pieces.push({ node: item, header });
      else for (const pair of item.body) look(pair, header);
    }
  }
  return pieces;
}

/** The single values of a patch; tables are one level deep. */
function changesOf(patch: Table): [keys: Keys, value: unknown][] {
  return Object.entries(patch).flatMap(([key, value]): [Keys, unknown][] =>
    isTable(value) ? Object.entries(value).map(([inner, item]) => [[key, inner], item]) : [[[key], value]],
  );
}

function setKey(text: string, path: Keys, keys: Keys, value: unknown): string {
  const now = valueAt(toml.parse(text), [...path, ...keys]);
  if (JSON.stringify(now) === JSON.stringify(value)) return text;
  const tables = piecesOf(text, path).flatMap(({ node, header }) =>
    node.type === 'TOMLTable' && header ? [{ node, rest: header.slice(path.length) }] : [],
  );
  for (const { node, rest } of tables) {
    for (const pair of node.body) {
      const at = [...rest, ...keysOf(pair)];
      if (at.join('\0') === keys.join('\0')) {
        return value === undefined
          ? cutLines(text, pair.range)
          : splice(text, pair.value.range, renderValue(value));
      }
      // An inline table on the path is one value and rewritten.
      if (startsWith(keys, at) && isTable(valueAt(toml.parse(text), [...path, ...at]))) {
        const inner = applyPatch(
          valueAt(toml.parse(text), [...path, ...at]),
          patchOf(keys.slice(at.length), value),
        );
        return splice(text, pair.value.range, renderValue(inner));
      }
    }
  }
  if (value === undefined) return text;
  const home = tables.find(({ rest }) => rest.length > 0 && startsWith(keys, rest)) ?? tables[0];
  if (!home) return text;
  const { node, rest } = home;
  const [key = '', ...inner] = keys.slice(rest.length);
  const eol = eolOf(text);
  const at = lineEnd(text, (node.body.at(-1) ?? node.key).range[1]);
  const line = `${renderKey(key)} = ${renderValue(inner.length === 0 ? value : patchOf(inner, value))}`;
  return splice(text, [at, at], text.slice(0, at).endsWith('\n') ? line + eol : eol + line);
}

function patchOf(keys: Keys, value: unknown): Table {
  const [key = '', ...rest] = keys;
  return { [key]: rest.length === 0 ? value : patchOf(rest, value) };
}

function append(text: string, path: Keys, entry: Table): string {
  refuseInline(text, path);
  const eol = eolOf(text);
  const simple = Object.values(entry).every(
    (value) => !isTable(value) || Object.values(value).every(isPlain),
  );
  const block = simple
    ? [
        `[${path.map(renderKey).join('.')}]`,
        ...Object.entries(entry).map(([key, value]) => `${renderKey(key)} = ${renderValue(value)}`),
      ].join('\n') + '\n'
    : stringify(path.reduceRight<Table>((inner, key) => ({ [key]: inner }), entry));
  const gap = text.trim() === '' ? '' : text.endsWith('\n') ? eol : eol + eol;
  return text + gap + block.replaceAll('\n', eol);
}

const isPlain = (value: unknown): boolean => !isTable(value);

function refuseInline(text: string, path: Keys): void {
  for (const item of parse(text).body[0].body) {
    for (const pair of item.type === 'TOMLKeyValue' ? [item] : item.body) {
      const keys = [...(item.type === 'TOMLKeyValue' ? [] : item.resolvedKey.map(String)), ...keysOf(pair)];
      if (startsWith(path, keys)) {
        throw new BrokenConfig(
          `${keys.join('.')} is a single value, so nothing can be added: write it as tables`,
          lineAt(pair),
        );
      }
    }
  }
}

/** Whole lines, and the empty line before them if another or the end follows. */
function cutLines(text: string, range: Range): string {
  let from = text.lastIndexOf('\n', range[0] - 1) + 1;
  const to = lineEnd(text, range[1]);
  const blankBefore = /(?:^|\n)[ \t]*\r?\n$/.exec(text.slice(0, from));
  if (blankBefore && /^[ \t]*(?:\r?\n|$)/.test(text.slice(to))) {
    from = text.slice(0, from).replace(/[ \t]*\r?\n$/, '').length;
  }
  return text.slice(0, from) + text.slice(to);
}

function parse(text: string): AST.TOMLProgram {
  try {
    return parseTOML(text, { tomlVersion: 'latest' });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const line = 'lineNumber' in error && typeof error.lineNumber === 'number' ? error.lineNumber : 1;
    throw new BrokenConfig(error.message, line);
  }
}

const lineAt = (node: AST.TOMLNode): number => node.loc.start.line;
const keysOf = (pair: AST.TOMLKeyValue): Keys =>
  pair.key.keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value));
const startsWith = (keys: Keys, start: Keys): boolean => start.every((key, index) => keys[index] === key);
const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** The start of the line after this offset. */
function lineEnd(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  return at === -1 ? text.length : at + 1;
}

function splice(text: string, [from, to]: Range, inserted: string): string {
  return text.slice(0, from) + inserted + text.slice(to);
}

const renderKey = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key));

/** On one line. JSON texts, numbers and lists are valid TOML. */
function renderValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(renderValue).join(', ')}]`;
  if (!isTable(value)) return JSON.stringify(value);
  const pairs = Object.entries(value).map(([key, item]) => `${renderKey(key)} = ${renderValue(item)}`);
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}
