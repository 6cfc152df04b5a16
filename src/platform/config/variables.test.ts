import { expect, test } from 'vitest';
import { loadConfig } from './config.ts';
import { expandVariables, unsetUnder, variablesIn } from './variables.ts';

async function expand(text: string, env: Record<string, string>) {
  const loaded = await loadConfig('/w/zoo.toml', { text });
  return expandVariables(loaded.config, env, loaded);
}

test('variables expand in connections and secrets, but not in prompts', async () => {
  const { config, diagnostics } = await expand(
    `
[tools.mcp.x]
command = "run"
args = ["--key=\${KEY}", "\${A}\${B}"]
env = { TOKEN = "\${KEY}" }
[tools.script.t]
path = "t.lua"
nested = { list = ["\${KEY}"] }
[agents.a]
description = "\${KEY}"
system_prompt = "Print \${KEY}"
`,
    { KEY: 'k', A: '$&', B: '${KEY}' },
  );
  expect(diagnostics).toEqual([]);
  // A value is never expanded again.
  expect(config.tools?.mcp?.x).toMatchObject({ args: ['--key=k', '$&${KEY}'], env: { TOKEN: 'k' } });
  expect(config.tools?.script?.t).toMatchObject({ nested: { list: ['k'] } });
  expect(config.agents?.a).toEqual({ description: '${KEY}', system_prompt: 'Print ${KEY}' });
});

test('an unset variable is reported with its line, and the reference stays', async () => {
  const { config, diagnostics, unset } = await expand(
    '[tools.mcp.x]\nurl = "u"\nheaders = { A = "Bearer ${NO_KEY}" }\n',
    {},
  );
  expect(config.tools?.mcp?.x?.headers).toEqual({ A: 'Bearer ${NO_KEY}' });
  expect(diagnostics).toMatchObject([
    { severity: 'warning', code: 'unset-variable', file: '/w/zoo.toml', line: 3, agentId: null },
  ]);
  expect(diagnostics[0]?.message).toBe('tools.mcp.x.headers.A needs the variable NO_KEY, which is not set');
  expect(unsetUnder(unset, ['tools', 'mcp', 'x'])).toBe(
    "tools.mcp.x.headers.A needs the variable NO_KEY, which is not set (/w/zoo.toml:3). Set NO_KEY with `zoo secret set NO_KEY`, in a .env beside the config, or in the hub's environment",
  );
  expect(unsetUnder(unset, ['tools', 'mcp', 'y'])).toBe(null);
});

test('a doubled dollar escapes a variable', async () => {
  const { config, diagnostics } = await expand('[tools.mcp.x]\ncommand = "echo"\nargs = ["$${KEY}"]\n', {});
  expect(config.tools?.mcp?.x?.args).toEqual(['${KEY}']);
  expect(diagnostics).toEqual([]);
  expect(variablesIn('$${A} ${B} ${B} $C')).toEqual(['B', 'B']);
});

test('an empty variable is set', async () => {
  const { config } = await expand('[tools.mcp.x]\nurl = "u${EMPTY}"\n', { EMPTY: '' });
  expect(config.tools?.mcp?.x?.url).toBe('u');
});
