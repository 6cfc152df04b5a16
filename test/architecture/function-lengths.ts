import { parseSync } from 'oxc-parser';
import type { Tree } from './imports.ts';

export interface FunctionLength {
  file: string;
  name: string;
  line: number;
  lines: number;
}

const isFunction = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;
const isNamed = /^(?:VariableDeclarator|Property|MethodDefinition|PropertyDefinition)$/;

/** Every function of these files, the longest first. Functions inside of others count for both. */
export function functionLengths(tree: Tree): FunctionLength[] {
  return Object.entries(tree)
    .flatMap(([file, text]) => functionsIn(file, text))
    .toSorted((a, b) => b.lines - a.lines);
}

function functionsIn(file: string, text: string): FunctionLength[] {
  const ends = lineEnds(text);
  const found: FunctionLength[] = [];
  const visit = (node: unknown, name: string): void => {
    if (Array.isArray(node)) {
      for (const item of node) visit(item, name);
      return;
    }
    if (!isNode(node)) return;
    if (isFunction.test(node.type)) {
      const line = lineAt(ends, node.start);
      const own = nameOf(node.id) ?? name;
      found.push({ file, name: own, line, lines: lineAt(ends, node.end) - line + 1 });
    }
    const inner = isNamed.test(node.type) ? (nameOf(node.id) ?? nameOf(node.key) ?? name) : name;
    for (const value of Object.values(node)) visit(value, inner);
  };
  visit(parseSync(file, text).program, '');
  return found;
}

interface Node {
  type: string;
  start: number;
  end: number;
  id?: unknown;
  key?: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function nameOf(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
    ? value.name
    : undefined;
}

function lineEnds(text: string): number[] {
  return [...text.matchAll(/\n/g)].map(({ index }) => index);
}

function lineAt(ends: readonly number[], offset: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low + 1;
}
