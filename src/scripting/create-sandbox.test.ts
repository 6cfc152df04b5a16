import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import type { DocumentView, SearchHit, SearchQuery } from '../contract/knowledge.ts';
import { emptyHost, scriptCall, scriptFile } from '../../test/script-file.ts';
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

  it('says what it is without being run', async () => {
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
      files: [file.path],
    });
  });

  it('builds its prompt from what it finds', async () => {
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
  return readFile(new URL('fixtures/incident-responder.lua', import.meta.url), 'utf8');
}

it('asks the hub from coroutines, callbacks and metamethods alike', async () => {
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
