import { expect, test } from 'vitest';
import { toml } from './toml.ts';

const path = ['mcp_servers', 'agent-zoo'];
const entry = { command: 'zoo', args: ['mcp'], env: { ZOO_HOME: '/h' } };
const block = '[mcp_servers.agent-zoo]\ncommand = "zoo"\nargs = ["mcp"]\nenv = { ZOO_HOME = "/h" }\n';

test.each([
  ['an empty file', '', block],
  ['comments', '# mine\nmodel = "x"   # odd\n', `# mine\nmodel = "x"   # odd\n\n${block}`],
  [
    'other servers, and a comment at the end',
    '[mcp_servers.a]\ncommand = "a"\n# the end\n',
    `[mcp_servers.a]\ncommand = "a"\n# the end\n\n${block}`,
  ],
  ['line ends of Windows', 'a = 1\r\n', `a = 1\r\n\r\n${block.replaceAll('\n', '\r\n')}`],
])('a table is added to %s and removed again', (_name, before, after) => {
  expect(toml.patch(before, path, entry)).toBe(after);
  expect(toml.patch(after, path, entry)).toBe(after);
  expect(toml.remove(after, path)).toBe(before);
});

const long = `model = "x"

[mcp_servers.agent-zoo] # ours
# why
command = "/old/node" # old
args = [
  "/old/zoo.js", # old
  "mcp",
]
startup_timeout_sec = 20.0

[mcp_servers.agent-zoo.env]
ZOO_HOME = "/old"
MINE = "1"

[mcp_servers.agent-zoo.tools.agent_zoo_inject]
approval_mode = "approve"

# the next
[profiles.x]
model = "y"
`;

test('an existing table is updated and keeps its comments', () => {
  expect(toml.patch(long, path, entry)).toBe(
    long
      .replace('"/old/node"', '"zoo"')
      .replace(/args = \[[^]*?\n\]/, 'args = ["mcp"]')
      .replace('ZOO_HOME = "/old"', 'ZOO_HOME = "/h"'),
  );
  const without = toml.patch(long, path, { env: { ZOO_HOME: undefined } });
  expect(without).toBe(long.replace('ZOO_HOME = "/old"\n', ''));
  expect(toml.patch(without, path, { env: { ZOO_HOME: '/n' } })).toBe(
    long.replace('ZOO_HOME = "/old"\nMINE = "1"\n', 'MINE = "1"\nZOO_HOME = "/n"\n'),
  );
});

test('all of its tables are removed, and nothing else', () => {
  expect(toml.remove(long, path)).toBe('model = "x"\n\n# the next\n[profiles.x]\nmodel = "y"\n');
});

test('a variable is added to a missing or inline table', () => {
  const bare = '[mcp_servers.agent-zoo]\ncommand = "zoo"\nargs = ["mcp"]\n# c\n\n[x]\n';
  const added = bare.replace('args = ["mcp"]\n', 'args = ["mcp"]\nenv = { ZOO_HOME = "/h" }\n');
  expect(toml.patch(bare, path, entry)).toBe(added);
  expect(toml.patch(added, path, { env: { ZOO_CONFIG_DIR: '/c' } })).toBe(
    added.replace('"/h" }', '"/h", ZOO_CONFIG_DIR = "/c" }'),
  );
});

test('other notations of a server are supported', () => {
  const inline = '[mcp_servers]\na = { command = "a" }\nagent-zoo = { command = "old", enabled = true }\n';
  const changed = toml.patch(inline, path, entry);
  expect(toml.parse(changed)).toEqual({
    mcp_servers: { a: { command: 'a' }, 'agent-zoo': { ...entry, enabled: true } },
  });
  expect(changed).toContain('[mcp_servers]\na = { command = "a" }\n');
  expect(toml.remove(inline, path)).toBe('[mcp_servers]\na = { command = "a" }\n');
  const dotted = 'mcp_servers.agent-zoo.command = "old"\nmcp_servers.agent-zoo.args = []\nx = 1\n';
  expect(toml.remove(dotted, path)).toBe('x = 1\n');
});

test.each([
  ['a = 1\nb = [\n', 3],
  ['a = 1\nb = what\n', 2],
  ['a = 1\na = 2\n', 2],
  ['x = 1\nmcp_servers = { a = { command = "a" } }\n', 2],
])('%j is rejected', (text, line) => {
  const broken = expect.objectContaining({ name: 'BrokenConfig', line });
  expect(() => toml.patch(text, path, entry)).toThrow(broken);
});
