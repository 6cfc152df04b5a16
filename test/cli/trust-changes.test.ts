import { expect, test } from 'vitest';
import { tempHome } from '../zoo-command.ts';

const script = (text: string): string =>
  `agent = { name = "a", description = "A" }\nfunction agent.resolve()\n  return { system = "${text}" }\nend\nreturn agent\n`;
const config = (args: string): string =>
  `[agents.script.a]\npath = "a.lua"\n[tools.mcp.memory]\ncommand = "npx"\nargs = [${args}]\n`;

test('zoo trust approves, and later shows what has changed since as a diff', async () => {
  await using home = await tempHome({ 'zoo.toml': config('"-y", "memory"'), 'a.lua': script('one') });
  const first = await home.program(['trust', '--yes']);
  expect(first).toMatchObject({
    code: 0,
    out: expect.stringMatching(/It would run[^]*a\.lua[^]*\nApproved\.\n$/),
  });
  expect((await home.program(['trust'])).out).toContain('is approved');

  await home.write('a.lua', script('two'));
  await home.write('zoo.toml', config('"-y", "other"'));
  const { code, out } = await home.program(['trust']);
  expect(code).toBe(1);
  expect(out).toContain('Changed since it was approved:');
  expect(out).toContain('-  return { system = "one" }\n+  return { system = "two" }\n');
  expect(out).toMatch(/upstream memory: .*memory.* -> .*other/);
  expect((await home.program(['trust', '--yes'])).out).toMatch(/\nApproved\.\n$/);
  expect((await home.program(['trust', '--json'])).out).not.toContain('"changes"');
});

test('values of a .env are not kept with an approval', async () => {
  await using home = await tempHome({
    'zoo.toml': '[tools.mcp.x]\ncommand = "npx"\nenv = { KEY = "${MY_KEY}" }\n',
    '.env': 'MY_KEY=a-secret-value-1\n',
  });
  await home.zoo(['trust', '--yes']);
  await home.write('.env', 'MY_KEY=a-secret-value-2\n');
  const { out } = await home.program(['trust']);
  expect(out).toContain('has changed since');
  expect(out).not.toContain('a-secret-value');
});

test('files that do not exist are no changes', async () => {
  await using home = await tempHome({ 'zoo.toml': '[tools.mcp.one]\ncommand = "npx"\nargs = ["one"]\n' });
  await home.zoo(['trust', '--yes']);
  await home.write(
    'zoo.toml',
    '[tools.mcp.one]\ncommand = "npx"\nargs = ["one"]\n[tools.mcp.two]\ncommand = "npx"\nargs = ["-y", "two"]\n',
  );
  const { out } = await home.program(['trust']);
  expect(out).toMatch(/Changed since it was approved:\nupstream two: .*\n$/);
});
