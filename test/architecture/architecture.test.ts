import { describe, expect, it } from 'vitest';
import { checkArchitecture } from './architecture.ts';
import type { Tree } from './imports.ts';
import { sourceTree } from './source-tree.ts';

it('rooms, names and sizes follow docs/architecture.md', () => {
  const tree = sourceTree();
  expect(Object.keys(tree)).toContain('src/main.ts');
  expect(checkArchitecture(tree)).toEqual([]);
});

const clean: Tree = {
  'src/main.ts':
    "import { serve } from './surfaces/http/serve.ts';\nimport { run } from './surfaces/cli/run.ts';\n",
  'src/client.ts': "import { x } from 'eventsource-parser';\nimport type { Api } from './contract/api.ts';\n",
  'src/contract/api.ts': "import { z } from 'zod';\nimport { Agent } from './agent.ts';\n",
  'src/contract/agent.ts': "import { z } from 'zod/mini';\n",
  'src/contract/api.test.ts': "import { readFileSync } from 'node:fs';\nimport { it } from 'vitest';\n",
  'src/platform/log.ts': "import pino from 'pino';\n",
  'src/registry/sources/index.ts':
    "import type { Source } from '../source.ts';\nimport { toml } from './toml.ts';\n\n/** In order. */\nexport const sources: readonly Source[] = [toml];\n",
  'src/registry/sources/toml.ts': "import type { Source } from '../source.ts';\n",
  'src/registry/sources/toml.test.ts': "import { tempFolder } from '../../../test/temp-folder.ts';\n",
  'src/registry/source.ts': '',
  'src/platform/databases/index.ts': "export { openSqlite } from './sqlite.ts';\n",
  'src/platform/databases/sqlite.ts': '// never import("../../hub/hub.ts")\n',
  'src/platform/databases/sqlite-worker.ts': '',
  'src/hub/hub.ts':
    "import { registry } from '../registry/source.ts';\nimport { log } from '../platform/log.ts';\n",
  'src/surfaces/http/serve.ts': "import { hub } from '../../hub/hub.ts';\n",
  'src/surfaces/cli/run.ts': "import { createClient } from '../../client.ts';\n",
  'web/src/page.tsx': "import { createClient } from '../../src/client.ts';\nimport 'react';\n",
  'test/tour.test.ts': "import { hub } from '../src/hub/hub.ts';\n",
  'bench/resolve.bench.ts': "import { hub } from '../src/hub/hub.ts';\n",
};

it('a valid tree has no violations', () => {
  expect(checkArchitecture(clean)).toEqual([]);
});

/** What is added to the clean tree, and the one complaint that it must draw. */
const broken: [title: string, files: Tree, complaint: string][] = [
  [
    'an import of the layer above',
    { 'src/platform/boot.ts': "import fs from 'node:fs';\nimport { hub } from '../hub/hub.ts';\n" },
    'src/platform/boot.ts:2: platform/ may not import hub/: it is above; take what you need as an argument, or move it down into platform/',
  ],
  [
    'an upward import of types alone, over several lines',
    { 'src/registry/a.ts': "import type {\n  Hub,\n} from '../hub/hub.ts';\n" },
    'src/registry/a.ts:3: registry/ may not import hub/: it is above',
  ],
  [
    'a lazy upward import',
    { 'src/hub/a.ts': "export const open = () =>\n  import('../surfaces/cli/run.ts');\n" },
    'src/hub/a.ts:2: hub/ may not import surfaces/cli/: it is above',
  ],
  [
    'a re-export from above',
    { 'src/contract/a.ts': "export * from '../platform/log.ts';\n" },
    'src/contract/a.ts:1: contract/ may not import platform/: it is above',
  ],
  [
    'one room importing another',
    {
      'src/registry/find.ts': "import { search } from '../knowledge/search.ts';\n",
      'src/knowledge/search.ts': '',
    },
    'src/registry/find.ts:1: registry/ may not import knowledge/: have the hub pass the function in',
  ],
  [
    'the same in a test beside the file',
    { 'src/tools/scope.test.ts': "import { x } from '../registry/source.ts';\n" },
    'src/tools/scope.test.ts:1: tools/ may not import registry/: have the hub pass the function in',
  ],
  [
    'one surface importing another',
    { 'src/surfaces/cli/serve.ts': "import { serve } from '../http/serve.ts';\n" },
    'src/surfaces/cli/serve.ts:1: surfaces/cli/ may not import surfaces/http/: what surfaces share belongs in hub/',
  ],
  [
    'a file between the surfaces',
    { 'src/surfaces/errors.ts': '' },
    'src/surfaces/errors.ts:1: lies between the surfaces',
  ],
  [
    'an import of main.ts',
    { 'src/surfaces/cli/a.ts': "import '../../main.ts';\n", 'src/main.ts': '' },
    'src/surfaces/cli/a.ts:1: surfaces/cli/ may not import main.ts: it is above',
  ],
  [
    'a client that knows more than the contract',
    { 'src/client.ts': "import { log } from './platform/log.ts';\n" },
    'src/client.ts:1: client.ts may not import platform/: client.ts knows contract/ alone',
  ],
  [
    'a client that needs Node',
    { 'src/client.ts': "import http from 'node:http';\n" },
    'src/client.ts:1: client.ts may not import node:http: it also runs in the browser',
  ],
  [
    'the hub calling itself through the client',
    { 'src/hub/a.ts': "import { createClient } from '../client.ts';\n" },
    'src/hub/a.ts:1: hub/ may not import client.ts: it is for surfaces and the page',
  ],
  [
    'a contract that needs Node',
    { 'src/contract/a.ts': "import { join } from 'node:path';\n" },
    'src/contract/a.ts:1: contract/ may not import node:path: it also runs in the browser',
  ],
  [
    'a contract with a package other than zod',
    { 'src/contract/a.ts': "import Ajv from 'ajv';\n" },
    'src/contract/a.ts:1: contract/ may not import ajv',
  ],
  [
    'a page that reaches into the hub',
    { 'web/src/a.ts': "import { hub } from '../../src/hub/hub.ts';\n" },
    'web/src/a.ts:1: web/ may not import hub/: the page knows contract/ and client.ts',
  ],
  [
    'shipped code that imports a test',
    { 'src/platform/a.ts': "import { tempFolder } from '../../test/temp-folder.ts';\n" },
    'src/platform/a.ts:1: platform/ may not import test/: what ships belongs in src/',
  ],
  [
    'a stray file in src',
    { 'src/config.ts': '' },
    'src/config.ts:1: src/ holds main.ts, embed.ts, wiring.ts, client.ts and the rooms',
  ],
  ['an unknown room', { 'src/attic/box.ts': '' }, 'src/attic/box.ts:1: attic/ is not a room'],
  [
    'an implementation that is not listed',
    { 'src/registry/sources/lua.ts': '' },
    'src/registry/sources/lua.ts:1: nobody can use it: add its line to src/registry/sources/index.ts',
  ],
  [
    'a folder of implementations without a list',
    { 'src/teams/harnesses/codex.ts': '' },
    'src/teams/harnesses/codex.ts:1: nobody can use it: add its line to src/teams/harnesses/index.ts',
  ],
  [
    'code in an index.ts',
    { 'src/hub/index.ts': "export { hub } from './hub.ts';\nexport function open() {\n  return 1;\n}\n" },
    'src/hub/index.ts:1: an index.ts is only a list',
  ],
  [
    'two lists in an index.ts',
    { 'src/hub/index.ts': 'export const a = [1];\nexport const b = [2];\n' },
    'src/hub/index.ts:1: an index.ts is only a list',
  ],
  [
    'code inside the list',
    { 'src/hub/index.ts': 'export const a = [() => { throw 1 }];\n' },
    'src/hub/index.ts:1: an index.ts is only a list',
  ],
  ['a name that says nothing', { 'src/hub/utils.ts': '' }, 'src/hub/utils.ts:1: "utils.ts" says nothing'],
  [
    'the same as a suffix',
    { 'test/http-helpers.ts': '' },
    'test/http-helpers.ts:1: "http-helpers.ts" says nothing',
  ],
  ['the same as a folder', { 'web/common/a.ts': '' }, 'web/common/a.ts:1: "common" says nothing'],
  [
    'a name in camel case',
    { 'src/hub/callContext.ts': '' },
    'src/hub/callContext.ts:1: "callContext.ts" is not kebab-case',
  ],
  [
    'a file of 401 lines',
    { 'scripts/long.js': 'x\n'.repeat(401) },
    'scripts/long.js:401: 401 lines: at 400 a file is two files',
  ],
  [
    'two files that import each other',
    { 'src/hub/a.ts': "\nimport './b.ts';\n", 'src/hub/b.ts': "import type { A } from './a.ts';\n" },
    'src/hub/a.ts:2: imports itself by way of src/hub/b.ts → src/hub/a.ts: move what both need into a file of its own',
  ],
  [
    'a longer cycle',
    {
      'src/tools/a.ts': "import './b.ts';\n",
      'src/tools/b.ts': "import './c.ts';\n",
      'src/tools/c.ts': "export { a } from './a.ts';\n",
    },
    'src/tools/a.ts:1: imports itself by way of src/tools/b.ts → src/tools/c.ts → src/tools/a.ts',
  ],
];

describe('a violation names the line and where it belongs', () => {
  it.each(broken)('%s', (_title, files, complaint) => {
    expect(checkArchitecture({ ...clean, ...files })).toEqual([expect.stringContaining(complaint)]);
  });

  it('a file of 400 lines is allowed', () => {
    expect(checkArchitecture({ 'src/hub/a.ts': 'x\n'.repeat(400) })).toEqual([]);
  });
});
