import { posix } from 'node:path';
import { expect, it } from 'vitest';
import { functionLengths } from './function-lengths.ts';
import { sourceTree } from './source-tree.ts';

/** A folder with more names than this is a drawer. */
const MAX_FILES = 25;
const MAX_LINES = 100;

/** Functions that are longer for a reason, which their files give. */
const LONG_FOR_A_REASON: readonly string[] = [
  // Every event of a session reads and writes the same state.
  'src/surfaces/mcp/bridge/ledger.ts createLedger',
  'src/surfaces/acp/bridge/acp-ledger.ts createAcpLedger',
  // Both directions share the state of one connection.
  'src/platform/bridge/relay.ts startRelay',
];

const tree = sourceTree((path) => /^src\/.*(?<!\.test)(?<!\.d)\.ts$/.test(path));
const functions = functionLengths(tree);

it(`no folder has more than ${MAX_FILES} files side by side`, () => {
  const counts = new Map<string, number>();
  for (const path of Object.keys(tree)) {
    const folder = posix.dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const full = [...counts].toSorted(([, a], [, b]) => b - a);
  const drawers = full.filter(([, count]) => count > MAX_FILES);
  if (drawers.length > 0) throw new Error(worst(full.map(([folder, count]) => `${count} ${folder}`)));
  expect(drawers).toEqual([]);
});

it(`no function is longer than ${MAX_LINES} lines without a reason`, () => {
  const added = functions.filter(
    ({ file, name, lines }) => lines > MAX_LINES && !LONG_FOR_A_REASON.includes(`${file} ${name}`),
  );
  if (added.length > 0) {
    throw new Error(worst(added.map(({ file, line, name, lines }) => `${lines} ${file}:${line} ${name}`)));
  }
  expect(added).toEqual([]);
});

it('a function that was split leaves the list of long ones', () => {
  const long = new Set(
    functions.filter(({ lines }) => lines > MAX_LINES).map(({ file, name }) => `${file} ${name}`),
  );
  expect(LONG_FOR_A_REASON.filter((key) => !long.has(key))).toEqual([]);
});

it('counts the lines of functions by whatever name they have', () => {
  const text =
    'export function first() {\n  return 1;\n}\nconst second = () =>\n  2;\nconst parts = {\n  third() {\n    return 3;\n  },\n};\n';
  expect(functionLengths({ 'src/a.ts': text })).toEqual([
    { file: 'src/a.ts', name: 'first', line: 1, lines: 3 },
    { file: 'src/a.ts', name: 'third', line: 7, lines: 3 },
    { file: 'src/a.ts', name: 'second', line: 4, lines: 2 },
  ]);
});

function worst(lines: readonly string[]): string {
  return `The ten largest:\n${lines.slice(0, 10).join('\n')}\n`;
}
