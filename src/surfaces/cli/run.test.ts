import { expect, test } from 'vitest';
import { tempHome } from '../../../test/zoo-command.ts';

test.each([
  [['agnt'], "unknown command 'agnt'", 'did you mean agent?'],
  [['agent', 'lst'], "unknown command 'lst'", 'did you mean one of list, ls?'],
  [['token', 'lst'], "unknown command 'lst'", 'did you mean list?'],
  [['agent', 'list', '--sourc', 'toml'], "unknown option '--sourc'", 'did you mean --source?'],
  [
    ['agent', 'list', '--source', 'yaml'],
    "--source must be one of editor, toml, markdown, lua, typescript, not 'yaml'",
    'zoo agent list --help',
  ],
  [['agent', 'edit', 'x', '--set'], '--set needs a value: --set <key=value>', ''],
  [['token', 'create'], '--agent <id> is missing', 'zoo token create --help'],
  [['status', 'now'], 'too many arguments: expected 0, got 1', 'zoo status --help'],
  [['agent', 'history', 'x', '-n', '0'], "--limit must be a whole number above 0, not '0'", ''],
  [['agent', 'show'], '<id> is missing', 'zoo agent show --help'],
  [
    ['agent', 'restore', 'x', 'nine'],
    "revision must be a whole number above 0, not 'nine'",
    'zoo agent restore --help',
  ],
  [['agent', 'create'], 'the agent needs a name', '--name'],
  [['agent', 'test', 'guide', '--arg', 'novalue'], "--arg takes NAME=VALUE, not 'novalue'", ''],
  [['agent', 'edit', 'guide'], 'editing needs a terminal', '--set'],
])('wrong usage %j exits with 2 and a suggestion', async (args, message, hint) => {
  await using home = await tempHome();
  const { code, out, err } = await home.inProcess(args);
  expect(code).toBe(2);
  expect(out).toBe('');
  expect(err).toMatch(/^error: /);
  expect(err).toContain(message);
  expect(err).toContain(hint);
  expect(err).not.toMatch(/\n\s+at /);
});

test('errors are JSON on stderr with --json', async () => {
  await using home = await tempHome();
  const wrong = await home.inProcess(['agnt', '--json']);
  expect(JSON.parse(wrong.err)).toMatchObject({
    error: { code: 'usage', message: "unknown command 'agnt'" },
  });
  const missing = await home.inProcess(['agent', 'show', 'nobody', '--json']);
  expect(missing.code).toBe(1);
  expect(JSON.parse(missing.err)).toMatchObject({ error: { code: 'agent_not_found' } });
});

test('a misspelt agent gets a suggestion', async () => {
  await using home = await tempHome();
  const { code, err } = await home.inProcess(['agent', 'show', 'giude']);
  expect(code).toBe(1);
  expect(err).toMatch(/^error: .*giude.*\n/);
  expect(err.toLowerCase()).toContain("did you mean 'guide'?");
});

test('zoo alone shows its help; a group alone also does, but fails', async () => {
  await using home = await tempHome();
  expect(await home.inProcess([])).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringContaining('Start with:'),
  });
  expect(await home.inProcess(['agent'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('undelete'),
  });
  expect(await home.inProcess(['agent', 'list', '--help'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/--search[^]*Global Options:[^]*--json/),
  });
});
