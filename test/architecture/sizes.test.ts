import { posix } from 'node:path';
import { expect, it } from 'vitest';
import { functionLengths } from './function-lengths.ts';
import { sourceTree } from './source-tree.ts';

/** A folder with more names than this is a drawer. */
const MAX_FILES = 25;
const MAX_LINES = 100;

/** Functions that were longer when this rule came. They are to be split; none may be added. */
const STILL_LONG: readonly string[] = [
  'src/surfaces/cli/commands/tools/tools-commands.ts addToolCommands',
  'src/hub/upstreams/implement-upstreams.ts implementUpstreams',
  'src/hub/workspaces/views.ts createViews',
  'src/hub/agents/implement-agents.ts implementAgents',
  'src/hub/agents/implement-parts.ts implementParts',
  'src/hub/knowledge/knowledge-work.ts createKnowledgeWork',
  'src/knowledge/index/chunk-writer.ts createChunkWriter',
  'src/knowledge/index/create-index-writer.ts createIndexWriter',
  'src/knowledge/index/index-thread.ts createIndexThread',
  'src/knowledge/index/vocabulary.ts createVocabulary',
  'src/knowledge/sync/create-syncer.ts createSyncer',
  'src/registry/agent-store.ts createAgentStore',
  'src/registry/markdown/markdown-files.ts findMarkdownFiles',
  'src/registry/programs/program-source.ts loadOne',
  'src/scripting/create-sandbox.ts createSandbox',
  'src/scripting/lua/lua-program.ts createLuaProgram',
  'src/scripting/lua/lua-reader.ts createLuaReader',
  'src/scripting/lua/lua-vm.ts createLuaVm',
  'src/scripting/modules/module-thread.ts startModuleThread',
  'src/surfaces/mcp/bridge/ledger.ts createLedger',
  'src/surfaces/mcp/bridge/relay.ts startRelay',
  'src/tools/builtin/knowledge.ts knowledgeTools',
  'src/tools/upstream/pool/server-pool.ts createServerPool',
];

const tree = sourceTree((path) => /^src\/.*(?<!\.test)(?<!\.d)\.ts$/.test(path));

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

it(`no function is longer than ${MAX_LINES} lines but those that already were`, () => {
  const functions = functionLengths(tree);
  const added = functions.filter(
    ({ file, name, lines }) => lines > MAX_LINES && !STILL_LONG.includes(`${file} ${name}`),
  );
  if (added.length > 0) {
    throw new Error(worst(added.map(({ file, line, name, lines }) => `${lines} ${file}:${line} ${name}`)));
  }
  expect(added).toEqual([]);
});

it('a function that was split leaves the list of long ones', () => {
  const long = new Set(
    functionLengths(tree)
      .filter(({ lines }) => lines > MAX_LINES)
      .map(({ file, name }) => `${file} ${name}`),
  );
  expect(STILL_LONG.filter((key) => !long.has(key))).toEqual([]);
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
