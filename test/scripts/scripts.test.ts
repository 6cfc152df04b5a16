import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type RunningHub, startHub } from '../start-hub.ts';

const lua = (body: string, more = '') => `
agent = { name = "x", tools = { "search" } ${more} }
function agent.resolve(args, config, context)
${body}
end
return agent
`;
const agents = (...names: string[]) =>
  names.map((name) => `[agents.script.${name}]\npath = "agents/${name}.lua"\n`).join('');

const prompt = (hub: RunningHub, name: string, args: object = {}) =>
  hub.request('POST', `/agents/${name}/prompt`, { arguments: args });
const write = (hub: RunningHub, name: string, text: string) => writeFile(join(hub.folder, name), text);
const diagnosticsOf = async (hub: RunningHub) => {
  const { body } = await hub.request('GET', '/api/diagnostics');
  return body.diagnostics.map(
    ({ file, line, message }: { file: string | null; line: number | null; message: string }) =>
      `${file?.slice(hub.folder.length + 1)}:${line}: ${message}`,
  );
};

describe('the result of resolve', () => {
  it('a module that hangs or blocks is stopped with 408, and others still answer', async () => {
    const module = (name: string) => `[agents.module.${name}]\npath = "agents/${name}.ts"\n`;
    const short = (name: string) => `${module(name)}timeout = 1\n`;
    await using hub = await startHub(
      {
        'zoo.toml': short('waits') + short('spins') + module('good'),
        'agents/waits.ts': 'export default { name: "waits", resolve: () => new Promise(() => {}) };',
        'agents/spins.ts': 'export default { name: "spins", resolve: () => { for (;;); } };',
        'agents/good.ts': 'export default { name: "good", resolve: () => ({ system: "good" }) };',
      },
      { trustAll: true },
    );
    for (const name of ['waits', 'spins']) {
      expect(await prompt(hub, name)).toMatchObject({
        status: 408,
        body: { error: { code: 'timeout', message: expect.stringContaining(`${name}.ts`) } },
      });
    }
    expect(await prompt(hub, 'good')).toMatchObject({ status: 200, body: { result: { system: 'good' } } });
  });

  it('a crash is a 500 with file and line, a timeout a 408, and a missing argument a 400 before it runs', async () => {
    await using hub = await startHub(
      {
        'zoo.toml': `${agents('crash', 'lib', 'slow', 'strict', 'answer', 'nil')}\n[agents.script.loop]\npath = "agents/loop.lua"\ntimeout = 0.5\n`,
        'agents/crash.lua': lua('  local a = nil\n  return { system = a.b }'),
        'agents/lib.lua': lua('  return require("helper").boom()'),
        'agents/helper.lua': 'return { boom = function()\n  error("deep inside")\nend }\n',
        'agents/slow.lua': lua('  sleep(60)'),
        'agents/loop.lua': lua('  while true do pcall(function() while true do end end) end'),
        'agents/strict.lua': lua(
          '  error("must not run")',
          ', arguments = { { name = "service", required = true } }',
        ),
        'agents/answer.lua': lua(
          '  return { system = "x", tools = { "a", 2 }, messages = { { role = "robot" } } }',
        ),
        'agents/nil.lua': lua('  return nil'),
      },
      { trustAll: true },
    );
    expect(await prompt(hub, 'crash')).toMatchObject({
      status: 500,
      body: {
        error: {
          code: 'agent_error',
          message: expect.stringMatching(/^Agent 'crash' failed: crash\.lua:5: attempt to index a nil value/),
          details: {
            file: join(hub.folder, 'agents/crash.lua'),
            line: 5,
            traceback: [expect.stringContaining('crash.lua:5')],
          },
        },
      },
    });
    expect((await prompt(hub, 'lib')).body.error).toMatchObject({
      message: expect.stringContaining('helper.lua:2: deep inside'),
      details: { file: join(hub.folder, 'agents/helper.lua'), line: 2 },
    });
    expect(await prompt(hub, 'loop')).toMatchObject({ status: 408, body: { error: { code: 'timeout' } } });
    expect(await prompt(hub, 'strict', { service: '' })).toMatchObject({
      status: 400,
      body: { error: { code: 'bad_request', message: expect.stringContaining('arguments.service') } },
    });
    expect((await prompt(hub, 'answer')).body.error.message).toMatch(
      /answer\.lua: resolve\(\) returned an invalid result: tools\[2\] must be text, not a number; messages\[1\]\.role must be one of "system", "user", "assistant", not "robot"; messages\[1\]\.content is missing/,
    );
    expect((await prompt(hub, 'nil')).body.error.message).toContain('a table with `system`');
    expect(await prompt(hub, 'nobody')).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    });
    // What went wrong is there to be read afterwards.
    expect(await diagnosticsOf(hub)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^agents\/crash\.lua:5: attempt to index a nil value/)]),
    );
  });

  it('invalid metadata is a diagnostic that names the field, and the agent is not served', async () => {
    await using hub = await startHub(
      {
        'zoo.toml': agents('bad', 'syntax', 'none', 'missing') + '[agents.script.ts]\npath = "agents/x.ts"\n',
        'agents/bad.lua': 'agent = { tools = { "a", 2 }, descripton = "x", resolve = 1 }\nreturn agent\n',
        'agents/syntax.lua': 'agent = {\n  name = \n}\n',
        'agents/none.lua': 'return 1\n',
        'agents/x.ts': '',
      },
      { trustAll: true },
    );
    expect(await diagnosticsOf(hub)).toEqual(
      expect.arrayContaining([
        'agents/bad.lua:null: tools[2] must be text, not a number',
        'agents/bad.lua:null: resolve must be a function',
        'agents/bad.lua:null: unknown field descripton; it is ignored',
        expect.stringMatching(/^agents\/syntax\.lua:3: /),
        expect.stringMatching(/^agents\/none\.lua:null: .*return agent/),
        'zoo.toml:7: agents.script.missing.path: file agents/missing.lua not found',
        expect.stringMatching(
          /^zoo\.toml:9: agents\.script\.ts\.path: agents\/x\.ts does not fit \[agents\.script\]/,
        ),
      ]),
    );
    expect((await prompt(hub, 'bad')).status).toBe(404);
  });

  it('narrows the declared tools and cannot widen them; without tools it has the declared ones', async () => {
    await using hub = await startHub(
      {
        'zoo.toml': agents('narrow', 'same'),
        'agents/narrow.lua': lua(
          '  return { system = "x", tools = { "get", "sources" }, mesages = {} }',
          ', tools = { "search", "get" }',
        ),
        'agents/same.lua': lua('  return { system = "x" }'),
      },
      { trustAll: true },
    );
    const { result } = (await prompt(hub, 'narrow')).body;
    expect(result.tools).toEqual(['get']);
    expect(result.receipt.warnings).toEqual([
      'resolve: unknown field mesages is ignored. Did you mean `messages`?',
      expect.stringContaining('were ignored: sources'),
    ]);
    expect((await prompt(hub, 'same')).body.result.tools).toEqual(['search']);
  });
});

it('a script sees only the sources of its agent, and agent callers do not see its trace', async () => {
  await using hub = await startHub(
    {
      // As the picture of the specification has it: a path makes it a script.
      'zoo.toml': `[agents.architect]\npath = "agents/architect.lua"\n${agents('crash', 'lost')}
[connectors.filesystem.adrs]\nroot = "adrs"\n[connectors.filesystem.secret]\nroot = "secret"\n`,
      'agents/architect.lua': lua(
        `  log.info("hm")
  local names, seen = {}, {}
  for _, hit in ipairs(context.search({ query = "okapi" })) do table.insert(names, hit.title) end
  for _, source in ipairs(context.sources()) do table.insert(seen, source.id) end
  return { system = table.concat(names, ",") .. " of " .. table.concat(seen, ",") }`,
        ', sources = { "adrs" }',
      ),
      'agents/crash.lua': lua('  error("oh")'),
      'agents/lost.lua': lua('  context.search("okapi", { source = "nowhere" })\n  return { system = "x" }'),
      'adrs/one.md': '# One\n\nokapi\n',
      'secret/two.md': '# Two\n\nokapi\n',
    },
    { trustAll: true },
  );
  await hub.request('POST', '/api/knowledge/sync', {});
  const answer = await prompt(hub, 'architect');
  expect(answer.body.result).toMatchObject({
    system: 'One of filesystem:adrs',
    trace: { logs: [{ message: 'hm' }] },
  });

  expect(await prompt(hub, 'lost')).toMatchObject({
    body: { error: { message: expect.stringContaining("Source 'nowhere' not found. Available sources: ") } },
  });

  const tokenOf = async (agent: string) => {
    const { body } = await hub.request('POST', '/api/tokens', { agentId: agent });
    return { authorization: `Bearer ${body.token}` };
  };
  const asAgent = await hub.request('POST', '/agents/architect/prompt', {}, await tokenOf('architect'));
  expect(asAgent).toMatchObject({ status: 200, body: { result: { system: 'One of filesystem:adrs' } } });
  expect(asAgent.body.result.trace).toBeUndefined();
  const failed = await hub.request('POST', '/agents/crash/prompt', {}, await tokenOf('crash'));
  expect(failed.body.error).toEqual({
    code: 'agent_error',
    message: "Agent 'crash' failed: crash.lua:4: oh",
    details: { id: 'crash' },
  });
});

it('a config binds a script to sources, whatever the script says', async () => {
  await using hub = await startHub(
    {
      'zoo.toml': `[agents.script.architect]\npath = "agents/architect.lua"\nsources = ["adrs"]
[connectors.filesystem.adrs]\nroot = "adrs"\n[connectors.filesystem.secret]\nroot = "secret"\n`,
      'agents/architect.lua': lua(
        `  local seen = {}
  for _, source in ipairs(context.sources()) do table.insert(seen, source.id) end
  return { system = table.concat(seen, ",") }`,
        ', sources = { "secret", "adrs" }',
      ),
      'adrs/one.md': '# One\n',
      'secret/two.md': '# Two\n',
    },
    { trustAll: true },
  );
  await hub.request('POST', '/api/knowledge/sync', {});
  expect((await prompt(hub, 'architect')).body.result.system).toBe('filesystem:adrs');
});

it('nothing of an untrusted workspace runs, not even to read its metadata', async () => {
  await using hub = await startHub({
    'zoo.toml':
      agents('evil') + '[agents.module.m]\npath = "agents/m.ts"\n[tools.script.t]\npath = "agents/t.lua"\n',
    'agents/evil.lua': 'error("it ran")',
    'agents/m.ts': 'throw new Error("it ran")',
    'agents/t.lua': 'error("it ran")',
  });
  const { body } = await hub.request('GET', '/api/agents');
  expect(body.agents).toMatchObject([
    { id: 'evil', source: 'lua', trusted: false, description: expect.stringContaining('zoo trust') },
    { id: 'guide' },
    { id: 'm', source: 'typescript', trusted: false, tools: [] },
  ]);
  const { body: counted } = await hub.request('GET', '/api/agents?tokens=true');
  expect(counted.agents.map((agent: { tokens?: object }) => 'tokens' in agent)).toEqual([false, true, false]);
  for (const name of ['evil', 'm']) {
    expect(await prompt(hub, name)).toMatchObject({ status: 403, body: { error: { code: 'untrusted' } } });
  }
  expect((await hub.request('POST', '/tools/t', {})).status).toBe(404);
  expect((await diagnosticsOf(hub)).join('\n')).not.toContain('it ran');

  const { body: trust } = await hub.request('GET', '/api/trust');
  await hub.request('PUT', '/api/trust', { hash: trust.hash });
  expect(await diagnosticsOf(hub)).toEqual(
    expect.arrayContaining([
      expect.stringContaining('evil.lua:1: it ran'),
      expect.stringContaining('m.ts:1: it ran'),
      expect.stringContaining('t.lua:1: tools.script.t: it ran'),
    ]),
  );
});

describe('a change of a script', () => {
  it('is served at once, also in required files; a broken one keeps the last good version', async () => {
    await using hub = await startHub(
      {
        'zoo.toml': agents('a') + '[agents.module.m]\npath = "agents/m.ts"\n',
        'agents/a.lua': lua('  return { system = "one " .. require("words").word }'),
        'agents/words.lua': 'return { word = "small" }\n',
        'agents/m.ts': 'export default { name: "m", resolve: () => ({ system: "one" }) };\n',
      },
      { trustAll: true },
    );
    const system = async (name: string) => (await prompt(hub, name)).body.result?.system;
    expect([await system('a'), await system('m')]).toEqual(['one small', 'one']);

    await write(hub, 'agents/words.lua', 'return { word = "large" }\n');
    await expect.poll(() => system('a')).toBe('one large');
    await write(hub, 'agents/m.ts', 'export default { name: "m", resolve: () => ({ system: "two" }) };\n');
    await expect.poll(() => system('m')).toBe('two');

    await write(hub, 'agents/m.ts', 'export default {');
    await write(hub, 'agents/a.lua', 'agent = {');
    await expect
      .poll(() => diagnosticsOf(hub))
      .toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^agents\/a\.lua:/),
          expect.stringMatching(/^agents\/m\.ts:/),
        ]),
      );
    expect([await system('a'), await system('m')]).toEqual(['one large', 'two']);

    await write(hub, 'agents/a.lua', lua('  return { system = "three" }'));
    await expect.poll(() => system('a')).toBe('three');
    expect((await diagnosticsOf(hub)).filter((line: string) => line.startsWith('agents/a.lua'))).toEqual([]);
  });

  it('of a tool is served at once, too', async () => {
    const tool = (word: string) =>
      `tool = { description = "${word}", parameters = {} }\nfunction tool.execute() return "${word}" end\nreturn tool\n`;
    await using hub = await startHub(
      { 'zoo.toml': '[tools.script.say]\npath = "tools/say.lua"\n', 'tools/say.lua': tool('one') },
      { trustAll: true },
    );
    const say = async () => (await hub.request('POST', '/tools/say', {})).body.result;
    expect(await say()).toEqual([{ type: 'text', text: 'one' }]);
    await write(hub, 'tools/say.lua', tool('two'));
    await expect.poll(say).toEqual([{ type: 'text', text: 'two' }]);
  });
});

it('500 concurrent resolves of a searching script each get their own result', async () => {
  const docs = Object.fromEntries(
    Array.from({ length: 20 }, (_, n) => [`docs/${n}.md`, `# Topic ${n}\n\nAll about the word zebra${n}.\n`]),
  );
  await using hub = await startHub(
    {
      'zoo.toml': `[connectors.filesystem.docs]\nroot = "docs"\n${agents('finder')}`,
      'agents/finder.lua': lua(
        '  local hits = context.search({ query = args.word, limit = 1 })\n  return { system = args.n .. " " .. context.get(hits[1].id).title }',
        ', arguments = { { name = "word" }, { name = "n" } }',
      ),
      ...docs,
    },
    { trustAll: true },
  );
  await hub.request('POST', '/api/knowledge/sync', {});
  const numbers = Array.from({ length: 500 }, (_, n) => n);
  const answers = await Promise.all(
    numbers.map(async (n) => {
      const { body } = await prompt(hub, 'finder', { word: `zebra${n % 20}`, n: String(n) });
      return [body.result?.system ?? body, body.result?.receipt.searches, body.result?.receipt.fetches];
    }),
  );
  expect(answers).toEqual(numbers.map((n) => [`${n} Topic ${n % 20}`, 1, 1]));
});

it('a script connector emits or returns documents, and gets its checkpoint', async () => {
  const files = {
    'zoo.toml': '[connectors.script.wiki]\npath = "connectors/wiki.lua"\nspace = "OPS"\n',
    'connectors/wiki.lua': `
connector = {}
function connector.scan(config, checkpoint)
  emit({ path = "a.md", title = "Emitted", body = "an okapi of " .. config.space })
  return { items = { { path = "b.md", title = "Returned", body = "a quokka after " .. tostring(checkpoint) } }, checkpoint = "42" }
end
return connector
`,
  };
  await using hub = await startHub(files, { trustAll: true });
  const find = async (query: string) => {
    const { body } = await hub.request('POST', '/api/knowledge/search', { query });
    return body.results.map(({ title, source }: { title: string; source: string }) => `${source} ${title}`);
  };
  await hub.request('POST', '/api/knowledge/sync', {});
  expect([await find('okapi'), await find('quokka')]).toEqual([
    ['script:wiki Emitted'],
    ['script:wiki Returned'],
  ]);
  await hub.request('POST', '/api/knowledge/sync', {});
  expect(await find('"after 42"')).toEqual(['script:wiki Returned']);
});
