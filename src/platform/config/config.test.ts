import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../../../test/temp-folder.ts';
import { findConfig, loadConfig } from './config.ts';

const load = (text: string, serving = false, own = true) => loadConfig('/w/zoo.toml', { text, serving, own });

/** Seed 002 §14, as printed. */
const complete = `[db]
path = "./data/ctx.sqlite"

[chunking]
max_tokens = 700

[retrieval]
final_limit = 12

[server]
bind = "127.0.0.1:7331"

# ── Connectors ──────────────────────────────────

[connectors.git.platform]
url = "https://github.com/acme/platform.git"
branch = "main"
root = "docs/"

[connectors.git.runbooks]
url = "https://github.com/acme/runbooks.git"
branch = "main"

# ── Tools ───────────────────────────────────────

[tools.script.create_jira_ticket]
path = "tools/create-jira-ticket.lua"
url = "https://acme.atlassian.net"
api_token = "\${JIRA_API_TOKEN}"

# ── Agents (inline) ────────────────────────────

[agents.code-reviewer]
description = "Reviews code against project conventions"
tools = ["search", "get"]
system_prompt = """
You are a senior code reviewer. Use search to find coding
conventions, then review the user's code against them.
"""

[agents.architect]
description = "Answers architecture questions"
tools = ["search", "get", "sources"]
system_prompt = """
You are a software architect. Search for ADRs and design
docs to ground your recommendations.
"""

# ── Agents (Lua) ───────────────────────────────

[agents.script.incident-responder]
path = "agents/incident-responder.lua"
timeout = 30
search_limit = 5
`;

describe('finding a config', () => {
  test('the nearest folder upwards wins, and zoo.toml before ctx.toml', async () => {
    await using folder = await tempFolder({
      'zoo.toml': '',
      'a/ctx.toml': '',
      'a/b/c/.keep': '',
      'd/zoo.toml/x': '',
    });
    expect(await findConfig(join(folder.path, 'a/b/c'))).toBe(join(folder.path, 'a/ctx.toml'));
    await folder.write('a/zoo.toml', '');
    expect(await findConfig(join(folder.path, 'a/b/c'))).toBe(join(folder.path, 'a/zoo.toml'));
    expect(await findConfig(join(folder.path, 'd'))).toBe(join(folder.path, 'zoo.toml'));
  });
});

describe('a whole file', () => {
  test('the complete config of the specification has no unknown keys and no errors', async () => {
    for (const serving of [true, false]) {
      const loaded = await load(complete, serving);
      expect(loaded.broken).toBe(false);
      expect(loaded.failedAgents).toEqual([]);
      expect(loaded.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect(loaded.diagnostics.filter(({ code }) => code === 'unknown-key')).toEqual([]);
      expect(Object.keys(loaded.config.agents ?? {})).toEqual(['script', 'code-reviewer', 'architect']);
    }
    expect((await load(complete, true)).config.server?.bind).toBe('127.0.0.1:7331');
    expect((await load(complete)).config.server).toBeUndefined();
  });

  test('unsupported sections are one note each', async () => {
    const { diagnostics } = await load(complete, true);
    expect(diagnostics.map(({ code, severity, line, agentId }) => [code, severity, line, agentId])).toEqual([
      ['ignored-section', 'note', 2, null],
    ]);
  });

  test('a syntax error is reported with its line, and the file is ignored', async () => {
    const loaded = await load('[agents.a]\nsystem_prompt = "x"\n[agents.b\n');
    expect(loaded).toMatchObject({ broken: true, config: {}, failedAgents: [] });
    expect(loaded.diagnostics).toMatchObject([
      { severity: 'error', code: 'syntax', file: '/w/zoo.toml', line: 3 },
    ]);
    expect(loaded.diagnostics[0]?.message).not.toContain('\n');
  });

  test('a file that is missing, not text or not a file is unreadable', async () => {
    await using folder = await tempFolder({
      'bad/zoo.toml': Uint8Array.of(0x61, 0xff, 0xfe),
      'dir/zoo.toml/x': '',
    });
    for (const name of ['none/zoo.toml', 'bad/zoo.toml', 'dir/zoo.toml']) {
      const loaded = await loadConfig(join(folder.path, name));
      expect(loaded).toMatchObject({
        broken: true,
        config: {},
        diagnostics: [{ code: 'unreadable', severity: 'error' }],
      });
    }
  });

  test('a byte order mark and CRLF are fine', async () => {
    await using folder = await tempFolder({ 'zoo.toml': '\uFEFF[agents.a]\r\nname = "A"\r\n' });
    const loaded = await loadConfig(join(folder.path, 'zoo.toml'));
    expect(loaded.diagnostics).toEqual([]);
    expect(loaded.config.agents?.a).toEqual({ name: 'A' });
    expect(loaded.lineOf(['agents', 'a'])).toBe(1);
  });
});

describe('a mistake', () => {
  test('an unknown key names the nearest known one, and the rest of the entry stays', async () => {
    const { config, diagnostics } = await load(
      '[agents.a]\nsystem_promt = "x"\ntools = []\n\n[sever]\nbind = "x"\n',
    );
    expect(diagnostics).toMatchObject([
      {
        severity: 'warning',
        code: 'unknown-key',
        line: 2,
        agentId: 'a',
        hint: 'Did you mean `system_prompt`?',
      },
      { severity: 'warning', code: 'unknown-key', line: 5, agentId: null, hint: 'Did you mean `server`?' },
    ]);
    expect(diagnostics[0]?.message).toContain('agents.a.system_promt');
    expect(config).toEqual({ agents: { a: { tools: [] } } });
  });

  test('known keys are found inside of lists, tables and unions', async () => {
    const { diagnostics } = await load(`
[[agents.a.skills]]
name = "s"
enable = true
[[agents.a.published_tools]]
name = "t"
prompt = "p"
parameters = { type = "object", properties = { x = { type = "string", minLenght = 3 } } }
`);
    expect(diagnostics.map(({ hint, line }) => [hint, line])).toEqual([
      ['Did you mean `enabled`?', 4],
      ['Did you mean `minLength`?', 8],
    ]);
  });

  test('an invalid value disables its agent, and no others', async () => {
    const { config, diagnostics, failedAgents } = await load(`
[agents.good]
system_prompt = "fine"
[agents.bad]
tools = "search"
[agents.inline.worse]
mode = "chatty"
[[agents.listed.skills]]
description = "no name"
`);
    expect(failedAgents.toSorted()).toEqual(['bad', 'listed', 'worse']);
    expect(config.agents).toEqual({ good: { system_prompt: 'fine' }, inline: {} });
    expect(diagnostics.map(({ message, line, agentId }) => [message, line, agentId])).toEqual([
      ['agents.bad.tools must be a list, not text', 5, 'bad'],
      [
        'agents.inline.worse.mode must be one of "interactive", "autonomous", "tools", not "chatty"',
        7,
        'worse',
      ],
      ['agents.listed.skills[0].name is missing (must be text)', 8, 'listed'],
    ]);
  });

  test('outside of named tables an invalid value disables only its key', async () => {
    const { config, diagnostics } = await load(
      '[server]\nbind = 7331\nallowed_hosts = ["a", 3]\n[chunking]\nmax_tokens = 700\noverlap_tokens = -1\n',
      true,
    );
    expect(config).toEqual({ server: {}, chunking: { max_tokens: 700 } });
    const errors = diagnostics.filter(({ code }) => code === 'invalid-value');
    expect(errors.map(({ line }) => line)).toEqual([2, 3, 6]);
    expect(errors.at(-1)?.message).toBe('chunking.overlap_tokens must be at least 0, not -1');
    expect(errors[0]).toMatchObject({
      message: 'server.bind must be text, not a number',
      hint: 'server.bind is ignored and its default is used.',
    });
  });

  test('refinements and values that are not tables are reported like others', async () => {
    const { config, diagnostics } = await load(
      '[tools.mcp.x]\nargs = []\n[tools.mcp.y]\nurl = "u"\n[agents]\nz = 3\n[connectors.web.w]\nmax_depth = 1\n',
    );
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ message, agentId }) => [message, agentId])).toEqual([
      ['tools.mcp.x needs either `command` or `url`', null],
      ['agents.z must be a table, not a number', 'z'],
      ['connectors.web.w needs one of `url`, `sitemap`, `llms_txt` or `pages`', null],
    ]);
    expect(config.tools?.mcp).toEqual({ y: { url: 'u' } });
  });

  test('a misspelt table of agents is not an agent', async () => {
    const { config, diagnostics } = await load('[agents.scripts.x]\npath = "x.lua"\n');
    expect(config.agents).toEqual({});
    expect(diagnostics).toMatchObject([{ code: 'unknown-key', line: 1, hint: 'Did you mean `script`?' }]);
  });

  test('keys that would change the prototype are rejected', async () => {
    const loaded = await load('[agents.__proto__]\nname = "x"\n');
    expect(loaded).toMatchObject({ broken: true, diagnostics: [{ code: 'syntax', line: 1 }] });
  });
});

describe('misplaced sections', () => {
  test('[agents.NAME] with a path is a script or a module, found on its own line', async () => {
    const { config, diagnostics, lineOf } = await load(
      '[agents.script.first]\npath = "f.lua"\n[agents.architect]\npath = "agents/architect.lua"\nlimit = 5\n[agents.db]\npath = "db.ts"\n',
    );
    expect(config.agents).toEqual({
      script: { first: { path: 'f.lua' }, architect: { path: 'agents/architect.lua', limit: 5 } },
      module: { db: { path: 'db.ts' } },
    });
    expect(diagnostics).toEqual([]);
    const lines = [lineOf(['agents', 'script', 'first']), lineOf(['agents', 'script', 'architect'])];
    expect([...lines, lineOf(['agents', 'module', 'db'])]).toEqual([1, 3, 6]);
  });

  test('sections of the serving config are misplaced in another', async () => {
    const text = '[server]\nbind = "0.0.0.0:80"\n[db]\nurl = "postgres://x"\n';
    const elsewhere = await load(text);
    expect(elsewhere.config).toEqual({});
    expect(elsewhere.diagnostics.map(({ code, line }) => [code, line])).toEqual([
      ['misplaced-section', 1],
      ['misplaced-section', 3],
      ['not-available', 4],
    ]);
    const serving = await load(text, true);
    expect(serving.diagnostics.map(({ code }) => code)).toEqual(['not-available']);
    expect(serving.config.server).toEqual({ bind: '0.0.0.0:80' });
  });

  test('settings of the whole hub are misplaced in the config of a project', async () => {
    const text =
      '[team]\nsandbox = "off"\n[harness.mine]\ncommand = ["mine"]\n[runner]\nkeep_days = 0\n[tools]\nactivity_days = 0\n';
    const own = await load(text);
    expect(own.diagnostics).toEqual([]);
    const { diagnostics, config } = await load(text, false, false);
    expect(config).toEqual({ runner: {}, tools: {} });
    expect(diagnostics.map(({ code, line, message }) => [code, line, message])).toEqual([
      ['misplaced-section', 1, '[team] applies only in your own config, and is ignored here'],
      ['misplaced-section', 3, '[harness] applies only in your own config, and is ignored here'],
      ['misplaced-section', 6, 'runner.keep_days applies only in your own config, and is ignored here'],
      ['misplaced-section', 8, 'tools.activity_days applies only in your own config, and is ignored here'],
    ]);
  });

  test('db.path is ignored with a note in every file', async () => {
    for (const serving of [true, false]) {
      const { diagnostics } = await load('[db]\npath = "x"\n', serving);
      expect(diagnostics).toMatchObject([{ severity: 'note', code: 'ignored-section', line: 2 }]);
    }
  });
});
