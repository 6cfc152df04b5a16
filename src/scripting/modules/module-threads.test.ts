import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { createModuleThreads, type ModuleFile } from './module-threads.ts';
import type { Json, ScriptHost } from '../sandbox.ts';

const MB = 2 ** 20;
const nothing: ScriptHost = {
  search: async () => [],
  get: async (id) => Promise.reject(new Error(`There is no document '${id}'.`)),
  sources: async () => [],
};
const signal = new AbortController().signal;
setMaxListeners(0, signal);

async function setUp(files: Record<string, string>, limits: Partial<ModuleFile['limits']> = {}) {
  const folder = await tempFolder(files);
  const said: string[] = [];
  const threads = createModuleThreads({ log: (level, message) => said.push(`${level}: ${message}`) });
  const file = (name: string, version = '1'): ModuleFile => ({
    kind: 'agent',
    path: join(folder.path, name),
    root: folder.path,
    version,
    limits: { timeoutMs: 60_000, memoryBytes: 256 * MB, outputBytes: MB, hostCalls: 100, ...limits },
    grants: { hosts: [], env: {} },
  });
  return {
    folder,
    threads,
    said,
    file,
    resolve: (name: string, args: Json = {}, config: Json = {}, host = nothing) =>
      threads.call(file(name), { args: [args], config, host, signal }),
    async [Symbol.asyncDispose]() {
      await threads.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const agent = (body: string) =>
  `import { defineAgent } from 'agent-zoo/agent';\nexport default defineAgent({ name: 'x', ${body} });\n`;

test('TypeScript runs without a build, with imports and the package from any folder', async () => {
  await using it = await setUp({
    'lib/words.ts':
      'export enum Tone { Kind = "kind" }\nexport const tone = (of: Tone): string => `Be ${of}.`;\n',
    'a.ts': `import { Tone, tone } from './lib/words.ts';\n${agent(
      'async resolve(args, ctx) { return { system: `${tone(Tone.Kind)} ${args.who} ${ctx.config.level}` }; }',
    )}`,
  });
  expect(await it.resolve('a.ts', { who: 'Ada' }, { level: 3 })).toMatchObject({
    value: { system: 'Be kind. Ada 3' },
  });
  const { table, files } = await it.threads.describe(it.file('a.ts'));
  expect(table).toEqual({ name: 'x' });
  expect(files.map((file) => file.slice(it.folder.path.length + 1))).toEqual(['a.ts', 'lib/words.ts']);
});

test('JavaScript and a named export are supported', async () => {
  await using it = await setUp({
    'a.mjs': "export const agent = { name: 'named', tools: ['t'], resolve: () => ({ system: 'hi' }) };\n",
    'b.cjs': "module.exports = { name: 'cjs', resolve: () => ({ system: 'required' }) };\n",
  });
  expect((await it.threads.describe(it.file('a.mjs'))).table).toEqual({ name: 'named', tools: ['t'] });
  expect((await it.resolve('b.cjs')).value).toEqual({ system: 'required' });
});

test('an error has the file and the line of the TypeScript source', async () => {
  await using it = await setUp({
    'lib.ts':
      'interface A {\n  b: string;\n}\n\nexport function boom(a: A): never {\n  throw new Error(`no ${a.b}`);\n}\n',
    'a.ts': `import { boom } from './lib.ts';\n${agent("resolve: () => boom({ b: 'luck' })")}`,
    'syntax.ts': 'const a = 1;\nexport default {\n  a: (\n};\n',
    'missing.ts': "import x from './nope.ts';\nexport default x;\n",
    'none.ts': 'export const other = 1;\n',
  });
  await expect(it.resolve('a.ts')).rejects.toMatchObject({
    code: 'agent_error',
    message: 'lib.ts:6: no luck',
    details: {
      file: join(it.folder.path, 'lib.ts'),
      line: 6,
      traceback: ['at boom (lib.ts:6:9)', expect.stringMatching(/^at .*resolve \(a\.ts:3:\d+\)$/)],
    },
  });
  await expect(it.resolve('syntax.ts')).rejects.toMatchObject({
    code: 'agent_error',
    message: expect.stringMatching(/^syntax\.ts:4: SyntaxError: Unexpected token/),
    details: { file: join(it.folder.path, 'syntax.ts'), line: 4 },
  });
  await expect(it.resolve('missing.ts')).rejects.toMatchObject({
    code: 'agent_error',
    message: expect.stringMatching(/^missing\.ts.*: Cannot find module '\.\/nope\.ts'$/),
    details: { file: join(it.folder.path, 'missing.ts') },
  });
  await expect(it.threads.describe(it.file('none.ts'))).rejects.toMatchObject({
    code: 'agent_error',
    message: expect.stringContaining('exports no agent'),
  });
});

test('a schema types and names the arguments', async () => {
  await using it = await setUp({
    'a.ts': `import * as z from '${import.meta.resolve('zod')}';\n${agent(
      `arguments: z.object({
        database: z.string().default('main').describe('Target database'),
        limit: z.number().int().optional(),
        tables: z.array(z.string()),
      }),
      resolve: (args) => ({ system: JSON.stringify(args) })`,
    )}`,
  });
  expect((await it.threads.describe(it.file('a.ts'))).table).toMatchObject({
    arguments: [
      { name: 'database', description: 'Target database', required: false, default: 'main' },
      { name: 'limit', required: false },
      { name: 'tables', required: true },
    ],
  });
  // As MCP passes them: text only.
  expect((await it.resolve('a.ts', { limit: '5', tables: '["a"]' })).value).toEqual({
    system: '{"database":"main","limit":5,"tables":["a"]}',
  });
  await expect(it.resolve('a.ts', { limit: 'many', tables: [] })).rejects.toMatchObject({
    code: 'invalid_arguments',
    message: expect.stringMatching(/^arguments\.limit must be /),
  });
});

test('host calls are counted, and a rejection can be caught', async () => {
  await using it = await setUp({
    'a.ts': agent(`async resolve(args, ctx) {
      const found = await ctx.search('a b', { mode: 'keyword', limit: 2, source: 'git:docs' });
      await ctx.search({ query: 'c', filters: { path: '*.md' } });
      const missing = await ctx.get('nope').catch((error) => error.message);
      const wrong = await ctx.search({ query: 'c', limit: 1000 }).catch((error) => error.message);
      ctx.log.warn('careful');
      console.log('found', found.length);
      return { system: [missing, wrong, (await ctx.sources()).length].join('|') };
    }`),
  });
  const queries: unknown[] = [];
  const host: ScriptHost = { ...nothing, search: async (query) => (queries.push(query), []) };
  const result = await it.resolve('a.ts', {}, {}, host);
  expect(queries).toEqual([
    { query: 'a b', mode: 'keyword', limit: 2, filters: { source: 'git:docs' } },
    { query: 'c', filters: { path: '*.md' } },
  ]);
  expect(result.value).toMatchObject({
    system: expect.stringMatching(/^There is no document 'nope'\.\|limit must be at most 100, not 1000\|0$/),
  });
  expect(result.hostCalls).toMatchObject({
    'context.search': { count: 3 },
    'context.get': { count: 1 },
    'context.sources': { count: 1 },
  });
  expect(result.logs.map(({ level, message }) => `${level} ${message}`)).toEqual([
    'warn careful',
    'info found 0',
  ]);
});

test('a hanging module is stopped, and concurrent calls still get their results', async () => {
  await using it = await setUp(
    {
      'a.ts': agent(`async resolve(args) {
        if (args.how === 'loop') for (;;);
        if (args.how === 'wait') await new Promise((resolve) => setTimeout(resolve, 60_000));
        if (args.how === 'slow') await new Promise((resolve) => setTimeout(resolve, 300));
        return { system: args.how };
      }`),
    },
    { timeoutMs: 6000 },
  );
  const asked = (...how: string[]) => Promise.allSettled(how.map((one) => it.resolve('a.ts', { how: one })));
  const tooLong = {
    reason: { code: 'timeout', message: 'a.ts timed out after 6 s' },
  };
  const answered = (system: string) => ({ value: { value: { system } } });
  await asked('warm');
  expect(await asked('slow', 'wait', 'quick')).toMatchObject([answered('slow'), tooLong, answered('quick')]);
  await asked('warm');
  // A loop blocks the other calls in its thread; calls that have not started move to another thread.
  expect(await asked('loop', 'quick')).toMatchObject([tooLong, answered('quick')]);
  expect(await asked('again')).toMatchObject([answered('again')]);
});

test('a module that exits its thread or exhausts memory does not affect others', async () => {
  await using it = await setUp(
    {
      'exit.ts': agent('resolve() { process.exit(0); }'),
      'throw.ts': agent(
        "resolve: () => new Promise(() => setTimeout(() => { throw new Error('late'); }, 10))",
      ),
      'eat.ts': agent(
        'resolve() { const all = []; for (;;) all.push(new Array(100_000).fill(String(all.length))); }',
      ),
    },
    { memoryBytes: 64 * MB },
  );
  await expect(it.resolve('exit.ts')).rejects.toMatchObject({
    code: 'agent_error',
    message: 'exit.ts: it exited its thread',
  });
  await expect(it.resolve('throw.ts')).rejects.toMatchObject({
    code: 'agent_error',
    message: 'throw.ts: late',
  });
  await expect(it.resolve('eat.ts')).rejects.toMatchObject({
    code: 'agent_error',
    message: 'eat.ts: it exceeded its memory limit of 64 MB',
  });
});

test('a new version is loaded while the previous one still answers', async () => {
  await using it = await setUp({ 'a.ts': agent("resolve: () => ({ system: 'one' })") });
  const call = { args: [], host: nothing, signal };
  expect((await it.threads.call(it.file('a.ts', '1'), call)).value).toEqual({ system: 'one' });
  await it.folder.write('a.ts', agent("resolve: () => ({ system: 'two' })"));
  expect((await it.threads.call(it.file('a.ts', '2'), call)).value).toEqual({ system: 'two' });
  expect((await it.threads.call(it.file('a.ts', '1'), call)).value).toEqual({ system: 'one' });
});

test('output outside of a call goes to the log, not to the output of a command', async () => {
  await using it = await setUp({
    'a.ts': `console.log('loading');\nprocess.stdout.write('raw\\n');\n${agent("resolve: () => ({ system: '' })")}`,
  });
  await it.threads.describe(it.file('a.ts'));
  await expect.poll(() => it.said).toContain('info: raw');
});

test('500 concurrent calls each get their own result', async () => {
  await using it = await setUp({
    'a.ts': agent(`async resolve(args, ctx) {
      const [hit] = await ctx.search(args.n);
      return { system: args.n + ' ' + hit.title };
    }`),
  });
  const host: ScriptHost = {
    ...nothing,
    async search({ query }) {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
      return [
        {
          id: query,
          title: `found ${query}`,
          headings: [],
          snippet: '',
          score: 1,
          relevance: 1,
          source: 's',
          path: 'p',
          url: null,
          updated_at: null,
          metadata: {},
          passages: [],
        },
      ];
    },
  };
  const numbers = Array.from({ length: 500 }, (_, n) => String(n));
  const answers = await Promise.all(numbers.map((n) => it.resolve('a.ts', { n }, {}, host)));
  expect(answers.map(({ value }) => value)).toEqual(numbers.map((n) => ({ system: `${n} found ${n}` })));
});
