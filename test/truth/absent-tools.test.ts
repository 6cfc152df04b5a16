import { describe, expect, it } from 'vitest';
import { fixture } from '../upstreams/upstream-servers.ts';
import { tempHome } from '../zoo-command.ts';

const CONFIG = `
[agents.a]
system_prompt = "x"
tools = ["nonono", "search", "broken.tool", "novar.thing", "readers", "live.who"]

[agents.script.s]
path = "s.lua"

[tools.groups]
readers = ["agent_zoo_*", "!agent_zoo_get_agent"]

[tools.mcp.broken]
command = "no-such-command"

[tools.mcp.novar]
command = "node"
args = ["\${NOT_SET_HERE}"]

[tools.mcp.off]
command = "node"
disabled = true
`;
const SCRIPT = `
return {
  description = "x",
  tools = { "search", "nonono" },
  resolve = function() return { system = "x", tools = { "search", "nonono" } } end,
}`;

const stage = () =>
  tempHome({
    'zoo.toml': CONFIG + fixture('live', 'legacy'),
    's.lua': SCRIPT,
    '.claude/agents/helper.md':
      '---\nname: helper\ndescription: x\ntools: Read, Bash(npm test:*)\n---\nYou help.\n',
  });

describe('a tool that is not available', () => {
  it('is explained by name in calls, warnings and scope explain', async () => {
    await using home = await stage();
    await home.zoo(['trust', '--yes']);
    await home.serve();
    const why = {
      'broken.tool': /'broken' failed: .*command 'no-such-command' not found/,
      'novar.thing': /'novar' cannot start: .*NOT_SET_HERE, which is not set/,
      'off.x': /'off' is disabled/,
      'live.whoo': /'live' has no such tool; did you mean 'live\.who'\?/,
    };
    for (const [name, reason] of Object.entries(why)) {
      const { err } = await home.program(['tools', 'call', name]);
      expect(err).toMatch(reason);
      expect(err).toContain(`Tool '${name}' is not available`);
    }
    for (const [name, reason] of [
      ['broken.tool', /'broken' failed: .*command 'no-such-command' not found/],
      ['off.x', /'off' is disabled/],
    ] as const) {
      expect((await home.program(['tools', 'show', name])).err).toMatch(reason);
    }
    const test = await home.program(['agent', 'test', 'a']);
    const said = test.out + test.err;
    expect(said).toContain("Tool 'nonono' not found");
    expect(said).toMatch(why['broken.tool']);
    expect(said).toMatch(why['novar.thing']);
    // A list and a resolve agree about a server that was never reached before.
    expect(said).toContain('live__who');
    expect((await home.program(['tools', 'list', '--agent', 'a'])).out).toContain('live.who');
  });

  it('is a warning in a script, too', async () => {
    await using home = await stage();
    await home.zoo(['trust', '--yes']);
    const { out, err } = await home.program(['agent', 'test', 's']);
    expect(out + err).toContain("Tool 'nonono' not found");
  });

  it('is never answered with the same name', async () => {
    await using home = await tempHome({ 'zoo.toml': '[mcp]\nediting = false\n' });
    const { err } = await home.program(['tools', 'call', 'agent_zoo_set_current']);
    expect(err).not.toContain("Did you mean 'agent_zoo_set_current'");
  });
});

describe('zoo scope explain', () => {
  it('names the exclusion of a group', async () => {
    await using home = await stage();
    const { out } = await home.program(['scope', 'explain', 'a', 'agent_zoo_get_agent']);
    expect(out).toContain("the group 'readers' has '!agent_zoo_get_agent'");
  });

  it("explains the client's own tools", async () => {
    await using home = await stage();
    for (const tool of ['Read', 'Bash']) {
      const { out } = await home.program(['scope', 'explain', 'helper', tool]);
      expect(out).toContain("it is one of the client's own tools");
    }
  });
});

it('zoo tools restart starts another process', async () => {
  await using home = await stage();
  await home.zoo(['trust', '--yes']);
  await home.serve();
  const before = (await home.program(['tools', 'call', 'live.who'])).out.trim();
  const { code, out } = await home.program(['tools', 'restart', 'live']);
  expect([code, out]).toEqual([0, expect.stringContaining('ready')]);
  const after = (await home.program(['tools', 'call', 'live.who'])).out.trim();
  expect(after).not.toBe(before);
});

it('a misspelt tool is a warning when the agent is saved', async () => {
  await using home = await tempHome();
  const created = await home.program(['agent', 'create', '--name', 'Typo', '--tool', 'serch']);
  expect([created.code, created.err]).toEqual([
    0,
    expect.stringContaining("warning: Tool 'serch' not found; did you mean 'search'?"),
  ]);
  const edited = await home.program(['agent', 'edit', 'typo', '--set', 'tools=["gett"]']);
  expect(edited.err).toContain("warning: Tool 'gett' not found; did you mean 'get'?");
});

it('every command takes a tool by both of its names', async () => {
  await using home = await tempHome({
    'zoo.toml':
      '[agents.desk]\nmode = "tools"\nsystem_prompt = "Book."\n' +
      '[[agents.desk.published_tools]]\nname = "book"\ndescription = "Books."\nprompt = "Book it."\n' +
      '[agents.caller]\nsystem_prompt = "Call."\ntools = ["desk.*"]\n' +
      '[agents.other]\nsystem_prompt = "Read."\n',
  });
  await home.zoo(['trust', '--yes']);
  for (const name of ['desk.book', 'desk__book']) {
    expect((await home.zoo(['tools', 'show', name])).out).toContain('Tool: desk.book');
    expect((await home.zoo(['scope', 'explain', 'caller', name])).out).toContain(
      "caller may call desk.book (desk__book): it is granted by 'desk.*'.",
    );
    const { agents } = JSON.parse((await home.zoo(['agent', 'list', '--tool', name, '--json'])).out);
    expect(agents.map(({ id }: { id: string }) => id)).toEqual(['caller']);
  }
  const { out } = await home.zoo(['agent', 'list', '--tool', 'search']);
  expect(out).toContain('other');
  expect(out).not.toContain('caller');
});
