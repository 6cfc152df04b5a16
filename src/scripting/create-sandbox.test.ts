import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import type { DocumentView, SearchHit, SearchQuery } from '../contract/knowledge.ts';
import { emptyHost, scriptCall, scriptFile } from '../../test/scripts/script-file.ts';
import { tempFolder } from '../../test/temp-folder.ts';
import { createSandbox } from './create-sandbox.ts';
import type { ScriptHost } from './sandbox.ts';

const sandbox = createSandbox();
afterAll(() => sandbox.close());

const hit = (id: string): SearchHit => ({
  id,
  title: `Runbook ${id}`,
  headings: [],
  snippet: 'restart **it**',
  score: 0.5,
  relevance: 0.5,
  source: 'git:runbooks',
  path: `${id}.md`,
  url: null,
  updated_at: null,
  metadata: {},
  passages: [],
});
const document = (id: string): DocumentView => ({
  id,
  title: `Runbook ${id}`,
  source: 'git:runbooks',
  path: `${id}.md`,
  url: null,
  mime_type: 'text/markdown',
  updated_at: null,
  metadata: {},
  body: `Restart ${id}.`,
  line_start: 1,
  line_end: 1,
  lines: 1,
  tokens: 3,
  chunks: [],
});

describe('an agent that searches', () => {
  const asked: SearchQuery[] = [];
  const host: ScriptHost = {
    search: (query) => {
      asked.push(query);
      return Promise.resolve([hit('a'), hit('b')]);
    },
    get: (id) => Promise.resolve(document(id)),
    sources: () => Promise.resolve([]),
  };

  it('is described without running', async () => {
    await using folder = await tempFolder({ 'agents/incident-responder.lua': await incidentResponder() });
    const file = scriptFile(`${folder.path}/agents/incident-responder.lua`);
    expect(await sandbox.describe(file)).toEqual({
      table: {
        name: 'incident-responder',
        description: 'Helps triage production incidents with relevant runbooks',
        tools: ['search', 'get', 'create_jira_ticket'],
        arguments: [
          { name: 'service', description: 'The service experiencing the incident', required: false },
          { name: 'severity', description: 'Incident severity (P1, P2, P3)', required: false },
        ],
      },
      functions: ['resolve'],
      lasting: true,
      files: [file.path],
    });
  });

  it('builds its prompt from search results', async () => {
    await using folder = await tempFolder({ 'agents/incident-responder.lua': await incidentResponder() });
    const file = scriptFile(`${folder.path}/agents/incident-responder.lua`);
    const call = scriptCall({
      args: [{ service: 'payments-api', severity: 'P1' }, { search_limit: 2 }],
      host,
    });
    const { value, hostCalls } = await sandbox.call(file, call);
    expect(asked).toEqual([
      { query: 'payments-api incident runbook', mode: 'keyword', limit: 2, filters: { source: 'runbooks' } },
    ]);
    expect(value).toMatchObject({
      system: expect.stringContaining('for the payments-api service (P1 severity)'),
      messages: [{ role: 'assistant', content: expect.stringContaining("I've loaded 2 relevant runbooks") }],
    });
    expect(value).toMatchObject({ system: expect.stringContaining('## Runbook b\nRestart b.') });
    expect(hostCalls).toMatchObject({ 'context.search': { count: 1 }, 'context.get': { count: 2 } });
  });
});

async function incidentResponder(): Promise<string> {
  return readFile(new URL('../../test/scripts/seed-002/incident-responder.lua', import.meta.url), 'utf8');
}

it('can call the hub from coroutines, callbacks and metamethods', async () => {
  await using folder = await tempFolder({
    'a/a.lua': `
      local agent = {}
      function agent.resolve(args, config, context)
        local function ask(id) return context.get(id).body end
        local lazy = setmetatable({}, { __index = function(_, key) return ask(key) end, __lt = function(a, b) return ask("lt") ~= nil end })
        local list = { "x", "y" }
        table.sort(list, function(a, b) return ask(a) < ask(b) end)
        return {
          coroutine.wrap(function() coroutine.yield(ask("in a coroutine")) end)(),
          (("word"):gsub("%w+", ask)),
          lazy.metamethod,
          select(2, pcall(ask, "in pcall")),
          list[1],
        }
      end
      return agent`,
  });
  const host = { ...emptyHost, get: (id: string) => Promise.resolve({ ...document(id), body: `<${id}>` }) };
  const { value } = await sandbox.call(scriptFile(`${folder.path}/a/a.lua`), scriptCall({ host }));
  expect(value).toEqual(['<in a coroutine>', '<word>', '<metamethod>', '<in pcall>', 'x']);
});

describe('the error of a script', () => {
  async function failure(files: Record<string, string>, call = scriptCall()): Promise<unknown> {
    await using folder = await tempFolder(files);
    return await sandbox.call(scriptFile(`${folder.path}/a/main.lua`), call).catch((error: unknown) => error);
  }

  it('has file, line and traceback, without frames of the engine', async () => {
    const main = `local lib = require("lib.deep")
local agent = {}
function agent.resolve(args)
  local text = lib.describe(args.service)
  return { system = text }
end
return agent`;
    const deep = `local M = {}
function M.describe(service)
  local line = "x" .. service.name
  return line
end
return M`;
    expect(await failure({ 'a/main.lua': main, 'a/lib/deep.lua': deep })).toMatchObject({
      code: 'agent_error',
      message: "lib/deep.lua:3: attempt to index a nil value (local 'service')",
      details: {
        file: expect.stringMatching(/^\/.*\/a\/lib\/deep\.lua$/),
        line: 3,
        traceback: ["lib/deep.lua:3: in field 'describe'", 'main.lua:4: in function <main.lua:3>'],
      },
    });
  });

  it('is equally clear for invalid Lua', async () => {
    expect(await failure({ 'a/main.lua': 'local agent = {\n  name = \n}' })).toMatchObject({
      code: 'agent_error',
      message: "main.lua:3: unexpected symbol near '}'",
      details: { file: expect.stringMatching(/^\/.*\/a\/main\.lua$/), line: 3 },
    });
    expect(await failure({ 'a/other.lua': '' })).toMatchObject({
      code: 'agent_error',
      message: 'main.lua: file not found',
    });
    expect(await failure({ 'a/main.lua': 'return { resolve = 1 }' })).toMatchObject({
      message: 'main.lua: it has no function agent.resolve, but a number',
    });
  });

  it('is a tool error for a tool', async () => {
    await using folder = await tempFolder({
      'a/main.lua': 'return { execute = function(p) error("no " .. p.x) end }',
    });
    const file = scriptFile(`${folder.path}/a/main.lua`, { kind: 'tool' });
    const call = scriptCall({ function: 'execute', args: [{ x: 'luck' }] });
    await expect(sandbox.call(file, call)).rejects.toMatchObject({
      code: 'tool_error',
      message: 'main.lua:1: no luck',
    });
  });
});

describe('the context of a call', () => {
  it('is the last argument and contains the config', async () => {
    await using folder = await tempFolder({
      'a/tool.lua':
        'tool = {} function tool.execute(params, context) return { params.a, context.config.b, type(context.search) } end',
    });
    const file = scriptFile(`${folder.path}/a/tool.lua`, { kind: 'tool' });
    const call = scriptCall({ function: 'execute', args: [{ a: 1 }], config: { b: 2 } });
    expect((await sandbox.call(file, call)).value).toEqual([1, 2, 'function']);
  });

  it('takes items from a connector, one after the other', async () => {
    await using folder = await tempFolder({
      'a/c.lua':
        'connector = {} function connector.scan(config, checkpoint) for i = 1, 3 do emit({ id = i }) end return { checkpoint = checkpoint + 1 } end',
    });
    const items: unknown[] = [];
    const host: ScriptHost = {
      ...emptyHost,
      emit: async (item) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        items.push(item);
      },
    };
    const file = scriptFile(`${folder.path}/a/c.lua`, { kind: 'connector' });
    const { value } = await sandbox.call(file, scriptCall({ function: 'scan', args: [{}, 1], host }));
    expect(value).toEqual({ checkpoint: 2 });
    expect(items).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  it('understands both ways to search', async () => {
    await using folder = await tempFolder({
      'a/a.lua': `return { resolve = function(args, config, context)
        context.search("one")
        context.search("two", { limit = 3, source = "docs", filters = {} })
        context.search({ query = "three", mode = "hybrid", filters = { source = "a", metadata = { x = 1 } } })
      end }`,
    });
    const asked: SearchQuery[] = [];
    const host: ScriptHost = {
      ...emptyHost,
      search: (query) => {
        asked.push(query);
        return Promise.resolve([]);
      },
    };
    await sandbox.call(scriptFile(`${folder.path}/a/a.lua`), scriptCall({ host }));
    expect(asked).toEqual([
      { query: 'one' },
      { query: 'two', limit: 3, filters: { source: 'docs' } },
      { query: 'three', mode: 'hybrid', filters: { source: 'a', metadata: { x: 1 } } },
    ]);
  });
});

describe('the description of a script', () => {
  it('is cached until the script or a required file changes', async () => {
    await using folder = await tempFolder({
      'a/main.lua': 'local names = require("names") return { name = names.own, made = crypto.uuid() }',
      'a/names.lua': 'return { own = "first" }',
    });
    const file = scriptFile(`${folder.path}/a/main.lua`);
    const first = await sandbox.describe(file);
    expect(first.files).toEqual([file.path, `${folder.path}/a/names.lua`]);
    expect(await sandbox.describe(file)).toEqual(first);
    await folder.write('a/names.lua', 'return { own = "second" }');
    expect((await sandbox.describe(file)).table).toMatchObject({ name: 'second' });
  });

  it('cannot make host calls or take long', async () => {
    await using folder = await tempFolder({
      'a/asks.lua': 'agent = { found = context.search("x") }',
      'a/loops.lua': 'while true do end',
    });
    await expect(sandbox.describe(scriptFile(`${folder.path}/a/asks.lua`))).rejects.toThrow(
      'asks.lua:1: context.search is not available while a script loads',
    );
    await expect(sandbox.describe(scriptFile(`${folder.path}/a/loops.lua`))).rejects.toMatchObject({
      code: 'timeout',
    });
  });

  it('uses a new random seed for every call', async () => {
    await using folder = await tempFolder({
      'a/a.lua': 'return { resolve = function() return math.random(1 << 50) end }',
    });
    const roll = async () => (await sandbox.call(scriptFile(`${folder.path}/a/a.lua`), scriptCall())).value;
    expect(await roll()).not.toEqual(await roll());
  });
});
