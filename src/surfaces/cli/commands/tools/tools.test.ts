import { describe, expect, it } from 'vitest';
import { tempHome } from '../../../../../test/zoo-command.ts';

const FILES = {
  'zoo.toml': `
[tools.groups]
reading = [
  "search",
  "agent_zoo_get_agent",
]
both = ["reading"]

[agents.code-reviewer]
description = "Reviews code"
system_prompt = "You review."
tools = ["search", "get"]

[agents.grouped]
system_prompt = "x"
tools = [
  "agent_zoo_*",
  "both",
  "!agent_zoo_set_current",
]

[agents.plain]
system_prompt = "x"
`,
  'agents/scribe.md': '---\nname: scribe\ntools:\n  - Read\n  - search\n---\nWrite.\n',
  'agents/short.md': '---\nname: short\ntools: Bash, get\n---\nWrite.\n',
};

describe('zoo tools', () => {
  it('lists, shows and calls tools, with or without an agent', async () => {
    await using home = await tempHome(FILES);
    const { out } = await home.inProcess(['tools', 'list', '--agent', 'code-reviewer']);
    expect(out).toMatch(/^ {2}get +.* \d+ tokens\n {2}search +.* \d+ tokens\n {2}2 tools, \d+ tokens\n$/s);
    const found = await home.inProcess(['tools', 'list', '--search', 'toggle skills']);
    expect(found.out).toMatch(/^ {2}agent_zoo_toggle_skill /);
    expect((await home.inProcess(['tools', 'show', 'search'])).out).toMatch(
      /^Tool: search.*Input schema:\n {2}\{/s,
    );
    const called = await home.inProcess([
      'tools',
      'call',
      'agent_zoo_inject',
      '--arg',
      'agentId=plain',
      '--json',
    ]);
    expect(JSON.parse(called.out)).toMatchObject({ agentId: 'plain', prompt: expect.stringContaining('x') });
  });

  it('takes arguments as pairs by their schema, as JSON, or from standard input', async () => {
    await using home = await tempHome(FILES);
    const entry = [
      '--arg',
      'agentId=plain',
      '--arg',
      'type=note',
      '--arg',
      'content=12',
      '--arg',
      'pinned=true',
    ];
    const made = await home.inProcess(['tools', 'call', 'agent_zoo_create_brain_entry', ...entry, '--json']);
    expect([made.code, made.err]).toEqual([0, '']);
    const query = ['tools', 'call', 'agent_zoo_query_brain_entries', '--json'];
    const args = '{"agentId": "plain", "pinned": true}';
    const found = await home.inProcess([...query, '--json-args', args]);
    expect(JSON.parse(found.out)).toMatchObject({ entries: [{ content: '12', pinned: true }] });
    expect(await home.inProcess([...query, '--json-args', '-'], { input: args })).toEqual(found);
    const both = await home.inProcess([...query, '--json-args', args, '--arg', 'a=b']);
    expect(both.code).toBe(2);
  });

  it('explains errors and how to fix them', async () => {
    await using home = await tempHome(FILES);
    expect(await home.inProcess(['tools', 'call', 'serch'])).toMatchObject({
      code: 1,
      err: "error: Tool 'serch' not found. Did you mean 'search'?\nhint: `zoo tools list` lists the tools\n",
    });
    expect((await home.inProcess(['tools', 'show', 'serch'])).err).toContain("did you mean 'search'?");
    const refused = await home.inProcess(['tools', 'call', 'sources', '--agent', 'code-reviewer']);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringMatching(/may not call 'sources'.*search, get/),
    });
    const wrong = await home.inProcess(['tools', 'call', 'agent_zoo_inject']);
    expect(wrong.err).toContain('agentId is missing');
  });
});

describe('zoo scope', () => {
  it('lists the tools of an agent with their cost', async () => {
    await using home = await tempHome(FILES);
    const { out } = await home.inProcess(['scope', 'code-reviewer']);
    expect(out).toMatch(
      /^Scope of code-reviewer \(search, get\):\n {2}get .* tokens\n {2}search .* tokens\n/,
    );
    expect(out).toMatch(/ {2}2 tools, \d+ tokens\n {2}3 tokens for persona and skills; \d+ in total\n$/);
    const report = JSON.parse((await home.inProcess(['scope', 'grouped', '--json'])).out);
    const rules = Object.fromEntries(
      report.tools.map(({ name, rule }: Record<string, string>) => [name, rule]),
    );
    expect(rules).toMatchObject({ search: 'both', agent_zoo_inject: 'agent_zoo_*' });
    expect((await home.inProcess(['scope', 'scribe'])).out).toContain('Client tools: Read');
  });

  it.each([
    [
      'an entry of the list',
      ['code-reviewer', 'get'],
      "code-reviewer may call get: it is granted by 'get'.\n  get   zoo.toml:12\n",
    ],
    [
      'a glob',
      ['grouped', 'agent_zoo_inject'],
      "grouped may call agent_zoo_inject: it is granted by 'agent_zoo_*'.\n  agent_zoo_*   zoo.toml:17\n",
    ],
    [
      'groups in groups',
      ['grouped', 'search'],
      "grouped may call search: it is granted by 'both': the group 'both' has 'reading', and the group 'reading' has 'search'.\n  both   zoo.toml:18\n  both: reading   zoo.toml:7\n  reading: search   zoo.toml:4\n",
    ],
    [
      'an exclusion',
      ['grouped', 'agent_zoo_set_current'],
      "grouped may not call agent_zoo_set_current: it is excluded by '!agent_zoo_set_current'.\n  !agent_zoo_set_current   zoo.toml:19\n",
    ],
    [
      'no entry',
      ['code-reviewer', 'sources'],
      'code-reviewer may not call sources: no entry of its `tools` list matches it.\n  zoo.toml:9\n',
    ],
    [
      'no list',
      ['plain', 'get'],
      'plain may call get: the agent has no `tools` list and therefore the read-only built-in tools.\n  zoo.toml:22\n',
    ],
    [
      'a list in front matter',
      ['scribe', 'search'],
      "scribe may call search: it is granted by 'search'.\n  search   agents/scribe.md:5\n",
    ],
    [
      'a line of words in front matter',
      ['short', 'get'],
      "short may call get: it is granted by 'get'.\n  get   agents/short.md:3\n",
    ],
    [
      'a tool that is not there',
      ['code-reviewer', 'serch'],
      "code-reviewer may not call serch: there is no such tool.\n  zoo.toml:9\nDid you mean 'search'?\n",
    ],
  ])('explains %s, and where it is written', async (_title, words, said) => {
    await using home = await tempHome(FILES);
    expect(await home.inProcess(['scope', 'explain', ...words])).toEqual({ code: 0, out: said, err: '' });
  });

  it('explains an agent of the editor by the revision in which its tools changed', async () => {
    await using home = await tempHome();
    await home.inProcess(['agent', 'create', '--name', 'Ed', '--tool', 'get']);
    await home.inProcess(['agent', 'edit', 'ed', '--set', 'tools=["search"]']);
    await home.inProcess(['agent', 'edit', 'ed', '--set', 'description=other']);
    expect((await home.inProcess(['scope', 'explain', 'ed', 'search'])).out).toBe(
      "ed may call search: it is granted by 'search'.\n  search   editor, revision 2\n",
    );
  });

  it('explains an agent of a script by the line that names the tool', async () => {
    const script =
      'agent = {}\nagent.name = "lua-agent"\nagent.description = "x"\nagent.tools = {\n  "search",\n  "get",\n}\nfunction agent.resolve(args, config, context)\n  return { system = "x" }\nend\n';
    await using home = await tempHome({
      'zoo.toml': '[agents.script.lua-agent]\npath = "agents/lua-agent.lua"\n',
      'agents/lua-agent.lua': script,
    });
    const { out: trusted } = await home.inProcess(['trust', '--yes']);
    expect(trusted).toContain('lua-agent');
    expect(await home.inProcess(['scope', 'explain', 'lua-agent', 'get'])).toMatchObject({
      out: "lua-agent may call get: it is granted by 'get'.\n  get   agents/lua-agent.lua:6\n",
    });
  });

  it('explains a tool that a config hides', async () => {
    await using home = await tempHome({
      'zoo.toml': '[mcp]\nediting = false\n[agents.a]\nsystem_prompt = "x"\ntools = ["*"]\n',
    });
    expect((await home.inProcess(['scope', 'explain', 'a', 'agent_zoo_set_current'])).out).toMatch(
      /^a may not call agent_zoo_set_current: a config says `\[mcp\] editing = false`/,
    );
  });
});

describe('zoo activity', () => {
  it('shows calls, newest first, and filters them', async () => {
    await using home = await tempHome(FILES);
    await home.inProcess(['tools', 'call', 'agent_zoo_list_agents']);
    await home.inProcess(['tools', 'call', 'agent_zoo_inject', '--agent', 'plain', '--arg', 'agentId=other']);
    const { out } = await home.inProcess(['activity']);
    expect(out).toMatch(
      /plain +cli +agent_zoo_inject +[\d.]+ ms +out_of_scope .*\{"agentId":"other"\}.*\n.*operator/,
    );
    const failed = JSON.parse((await home.inProcess(['activity', '--failed', '--json'])).out);
    expect(failed.calls).toMatchObject([{ tool: 'agent_zoo_inject', agentId: 'plain', surface: 'cli' }]);
    for (const options of [
      ['--since', '1h'],
      ['--tool', 'agent_zoo_inject'],
      ['--agent', 'plain'],
      ['-n', '1'],
    ]) {
      expect((await home.inProcess(['activity', ...options])).out).toContain('agent_zoo_inject');
    }
    expect((await home.inProcess(['activity', '--client', 'claude-code'])).err).toContain('No matching');
    expect((await home.inProcess(['activity', '--since', '2099-01-01'])).err).toContain('No matching');
    expect((await home.inProcess(['activity', '--since', 'soon'])).code).toBe(2);
  });
});

describe('zoo activity --follow', () => {
  it('follows calls through the hub', async () => {
    await using home = await tempHome(FILES);
    await home.serve();
    await home.zoo(['tools', 'call', 'agent_zoo_list_agents']);
    const following = home.start(['activity', '--follow', '--json']);
    const lines: string[] = [];
    following.stdout
      ?.setEncoding('utf8')
      .on('data', (text: string) => lines.push(...text.trim().split('\n')));
    await expect.poll(() => lines.length).toBe(1);
    await home.zoo(['tools', 'call', 'nope']);
    await expect.poll(() => lines.length).toBe(2);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { tool: 'agent_zoo_list_agents', surface: 'cli', outcome: 'ok' },
      { tool: 'nope', outcome: 'failed', code: 'tool_not_found' },
    ]);
    following.kill('SIGINT');
    await expect.poll(() => following.exitCode).toBe(0);
  });
});

describe('zoo agent list', () => {
  it('shows the token cost of each agent', async () => {
    await using home = await tempHome(FILES);
    const { out } = await home.inProcess(['agent', 'list']);
    expect(out).toMatch(/ {2}code-reviewer +Reviews code +\(tools: search, get\) {2}\d+ tokens\n/);
    const { agents } = JSON.parse((await home.inProcess(['agent', 'list', '--json'])).out);
    const { tokens } = agents.find(({ id }: { id: string }) => id === 'code-reviewer');
    expect(tokens).toEqual({ prompt: 3, tools: expect.any(Number) });
    const report = JSON.parse((await home.inProcess(['scope', 'code-reviewer', '--json'])).out);
    expect(report.tokens).toEqual(tokens);
    const resolved = JSON.parse((await home.inProcess(['agent', 'test', 'code-reviewer', '--json'])).out);
    expect(resolved.receipt).toMatchObject({ totalTokens: 3, toolTokens: tokens.tools });
  });
});
