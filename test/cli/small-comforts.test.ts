import { expect, test } from 'vitest';
import { atTerminal, hasTerminal, plainScreen } from '../at-terminal.ts';
import { tempHome } from '../zoo-command.ts';

test('zoo help COMMAND prints the same as COMMAND --help', async () => {
  await using home = await tempHome();
  for (const words of [['agent', 'test'], ['tools'], ['serve']]) {
    const asked = await home.program(['help', ...words]);
    const { code, out } = await home.program([...words, '--help']);
    expect(asked).toMatchObject({ code, out });
    expect(out).toContain(`Usage: zoo ${words.join(' ')}`);
  }
  expect(await home.program(['help', 'agnt'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('agent'),
  });
});

test('zoo search - reads the query from standard input', async () => {
  await using home = await tempHome({
    'zoo.toml': '[connectors.filesystem.docs]\nroot = "docs"\n',
    'docs/queue.md': '# Queue\n\nDrain the queue, then restart.\n',
    'docs/other.md': '# Other\n\nNothing to see.\n',
  });
  await home.zoo(['sync']);
  const input = 'drain the\n\n  queue\n';
  expect((await home.program(['search', '-'], { input })).out).toContain('1. Queue');
  expect(await home.program(['search', '-'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('the query is empty'),
  });
});

test('brain commands take the start of an id', async () => {
  await using home = await tempHome();
  const add = async (text: string): Promise<string> =>
    JSON.parse((await home.program(['brain', 'add', 'guide', text, '--json'])).out).id;
  const [one, two] = [await add('first'), await add('second')];
  const start = one.slice(0, [...one].findIndex((letter, index) => two[index] !== letter) + 1);
  expect((await home.program(['brain', 'show', 'guide', start])).out).toContain('first');
  expect((await home.program(['brain', 'pin', 'guide', start])).out).toContain(`Pinned ${one}`);
  expect((await home.program(['brain', 'rm', 'guide', start])).out).toBe(`Deleted ${one}\n`);
  await add('third');
  const both = await home.program(['brain', 'show', 'guide', '']);
  expect(both.code).toBe(1);
  expect(await home.program(['brain', 'show', 'guide', 'zzz'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('zoo brain list'),
  });
});

test('zoo token rm takes the start of an id, and only that of one token', async () => {
  await using home = await tempHome();
  await home.serve();
  const create = async (): Promise<string> =>
    JSON.parse((await home.program(['token', 'create', '--agent', 'guide', '--json'])).out).id;
  const id = await create();
  expect(await home.program(['token', 'rm', ''])).toMatchObject({ code: 1 });
  expect(await home.program(['token', 'rm', `${id.slice(0, 8)}x`])).toMatchObject({
    code: 1,
    err: expect.stringContaining('zoo token list'),
  });
  expect((await home.program(['token', 'rm', id.slice(0, 8)])).out).toBe(`Revoked ${id}\n`);
});

test('options that do nothing are refused', async () => {
  await using home = await tempHome();
  for (const args of [
    ['agent', 'test', 'guide', '--trust'],
    ['brain', 'edit', 'guide', 'x', '--tag', 'a', '--no-tags'],
    ['agent', 'edit', 'guide', '--set', 'systemPrompt=a', '--system-prompt-file', '-'],
    ['agent', 'create', '--name', 'x', '--system-prompt', 'a', '--system-prompt-file', '-'],
    ['current', 'guide', '--clear'],
    ['connect', '--scope', 'project'],
    ['mcp', '--config', 'zoo.toml'],
    ['mcp', '--json'],
    ['serve', '--json'],
    ['status', '--config', 'zoo.toml'],
    ['stop', '--workspace', '.'],
  ]) {
    expect({ args, code: (await home.program(args)).code }).toEqual({ args, code: 2 });
  }
});

test('a copy under the same id is confirmed first, because it replaces agents of other workspaces', async () => {
  await using home = await tempHome({ 'zoo.toml': '[agents.local]\nsystem_prompt = "Local"\n' });
  const refused = await home.program(['agent', 'clone', 'local', '--id', 'local']);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('every other workspace') });
  expect(refused.err).toContain('--id local-copy');
  const asked = await home.inProcess(['agent', 'clone', 'local', '--id', 'local'], { answers: ['n'] });
  expect(asked).toMatchObject({ code: 1, err: expect.stringContaining('every other workspace') });
  expect((await home.program(['agent', 'clone', 'local', '--id', 'local', '--yes'])).code).toBe(0);
});

test.skipIf(!hasTerminal)('agent test --watch asks for trust after an edit, and continues', async () => {
  const script = (text: string): string =>
    `agent = { name = "a", description = "A" }\nfunction agent.resolve() return { system = "${text}" } end\nreturn agent\n`;
  await using home = await tempHome({
    'zoo.toml': '[agents.script.a]\npath = "a.lua"\n',
    'a.lua': script('version one'),
  });
  await home.zoo(['trust', '--yes']);
  const { screen } = await atTerminal(['agent', 'test', 'a', '--watch'], {
    cwd: home.work,
    env: home.env,
    type: [
      ['version one', ''],
      ['Watching a', () => home.write('a.lua', script('version two'))],
      ['Approve it?', 'y\r'],
      ['version two', '\u0003'],
    ],
  });
  expect(plainScreen(screen)).toMatch(/version one[^]*Watching a[^]*has changed[^]*version two/);
});
