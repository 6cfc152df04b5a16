import { mkdtemp, realpath, rm, writeFile, readFile, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as Wasmoon from 'wasmoon';
import type { SearchQuery } from '../src/contract/knowledge.ts';
import { createIndexReader } from '../src/knowledge/index/create-index-reader.ts';
import { createSandbox } from '../src/scripting/create-sandbox.ts';
import { DEFAULT_LIMITS, type Sandbox, type ScriptCall, type ScriptFile } from '../src/scripting/sandbox.ts';
import { fillIndex } from './fill-index.ts';
import { compare, report, timed } from './measure.ts';

const ROUNDS = 1_000;
const MANY = 20_000;

const script = `
local agent = {
  name = "release-notes",
  description = "Writes release notes in the voice of the project",
  tools = { "search", "get" },
  arguments = { { name = "version", required = true }, { name = "audience" } },
}

local tones = { users = "plain and warm", developers = "precise and short" }

function agent.resolve(args, config)
  local rules = {}
  for index, rule in ipairs(config.rules) do
    rules[#rules + 1] = string.format("%d. %s", index, rule)
  end
  return {
    system = string.format(
      "You write the notes of release %s. Your tone is %s.\\n\\n%s",
      args.version, tones[args.audience or "users"], table.concat(rules, "\\n")
    ),
    tools = agent.tools,
    messages = { { role = "assistant", content = "Which changes should be in " .. args.version .. "?" } },
  }
end

return agent
`;
const searchingScript = `
local agent = { name = "searcher", description = "Searches three times" }

function agent.resolve(args, config, context)
  local lines = {}
  for _, query in ipairs(args.queries) do
    for _, hit in ipairs(context.search({ query = query, mode = "keyword", limit = 5 })) do
      lines[#lines + 1] = string.format("- %s (%.2f): %s", hit.title, hit.score, hit.snippet)
    end
  end
  return { system = "What is known:\\n" .. table.concat(lines, "\\n") }
end

return agent
`;
const CHUNKS = 10_000;

const args = { version: '2.1.0', audience: 'developers' };
const config = { rules: Array.from({ length: 20 }, (_, n) => `Rule ${n}: say what changed, and for whom.`) };

async function main(): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'zoo-bench-')));
  const path = join(folder, 'agents/release-notes.lua');
  await mkdir(join(folder, 'agents'));
  await writeFile(path, script);
  const searching = join(folder, 'agents/searcher.lua');
  await writeFile(searching, searchingScript);
  const file: ScriptFile = {
    kind: 'agent',
    path,
    root: folder,
    limits: DEFAULT_LIMITS,
    grants: { hosts: [], env: {} },
  };
  const call = (): ScriptCall => ({
    function: 'resolve',
    args: [args, config],
    host: {
      search: () => Promise.resolve([]),
      get: () => Promise.reject(new Error('there are no documents')),
      sources: () => Promise.resolve([]),
    },
    signal: new AbortController().signal,
  });
  const sandbox = createSandbox();
  try {
    const cold = await timed(() => sandbox.call(file, call()));
    console.log(`Cold first resolve, with the start of its thread: ${cold.toFixed(1)} ms`);

    // As it comes, not bundled: it looks for its engine beside itself.
    const { LuaFactory }: typeof Wasmoon = createRequire(import.meta.url)('wasmoon');
    const factory = new LuaFactory();
    await factory.getLuaModule();
    const fresh = async () => {
      const engine = await factory.createEngine({ enableProxy: false, injectObjects: false });
      try {
        const agent = await engine.doString(await readFile(path, 'utf8'));
        return agent.resolve(args, config);
      } finally {
        engine.global.close();
      }
    };
    const contestants = {
      'a fresh VM on the main thread': fresh,
      'resolve in the sandbox, warm': () => sandbox.call(file, call()),
    };
    report('Resolve without host calls', await compare(ROUNDS, contestants), 'p50 ≤ 1.5×');

    await compareSearches(folder, sandbox, { ...file, path: searching });
    await reportMemory(() => sandbox.call(file, call()));
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function compareSearches(folder: string, sandbox: Sandbox, file: ScriptFile): Promise<void> {
  const index = join(folder, 'knowledge.db');
  const source = { owner: null, type: 'filesystem', name: 'notes' } as const;
  const queries = fillIndex(index, source, CHUNKS);
  const reader = createIndexReader({ file: index });
  const scope = { sources: [source], retrieval: {}, embedding: {} };
  const search = async (query: SearchQuery, signal: AbortSignal) =>
    (await reader.search(query, scope, signal)).results;
  const host = {
    search,
    get: () => Promise.reject(new Error('there are no documents')),
    sources: () => Promise.resolve([]),
  };
  const signal = new AbortController().signal;
  let found = 0;
  const contestants = {
    'the three searches alone': async () => {
      found = 0;
      for (const query of queries)
        found += (await search({ query, mode: 'keyword', limit: 5 }, signal)).length;
    },
    'resolve that makes them': () =>
      sandbox.call(file, {
        function: 'resolve',
        args: [{ queries }, {}],
        host,
        signal: new AbortController().signal,
      }),
  };
  const samples = await compare(ROUNDS / 2, contestants);
  report(`Resolve with three searches over ${CHUNKS} chunks, ${found} hits`, samples, 'p50 ≤ 1.3×');
  await reader.close();
}

async function reportMemory(work: () => Promise<unknown>): Promise<void> {
  console.log(`\n${MANY} resolves, 50 at a time: memory of the whole process`);
  for (let done = 0; done <= MANY; done += MANY / 4) {
    const { rss } = process.memoryUsage();
    console.log(`  after ${String(done).padStart(6)}: ${(rss / 1024 / 1024).toFixed(0).padStart(5)} MiB`);
    for (let batch = 0; batch < MANY / 4 / 50 && done < MANY; batch++)
      await Promise.all(Array.from({ length: 50 }, work));
  }
}

await main();
