import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempHome } from '../zoo-command.ts';

const FILES = {
  'zoo.toml': '[tools.script.t]\npath = "t.lua"\ngreeting = "${GREETING_WORD}"\nallow_env = ["OTHER_WORD"]\n',
  't.lua': `tool = { description = "d" }
function tool.execute(args, context)
  return { length = #context.config.greeting, other = env.get("OTHER_WORD") or "unset" }
end
`,
};
const result = async (home: Awaited<ReturnType<typeof tempHome>>) =>
  JSON.parse((await home.program(['tools', 'call', 't', '--json'])).out);

it('a .env beside the config fills its ${VAR} once it is trusted, and nothing else', async () => {
  await using home = await tempHome({ ...FILES, '.env': 'GREETING_WORD="hello world"\nOTHER_WORD=x\n' });
  const before = await home.program(['tools', 'call', 't', '--json']);
  expect(before.code).not.toBe(0);
  const shown = JSON.parse((await home.program(['trust', '--json'])).out);
  expect(shown.runnables).toContainEqual(
    expect.objectContaining({ kind: 'variables', name: '.env', detail: 'fills in GREETING_WORD' }),
  );
  await home.zoo(['trust', '--yes']);
  expect(await result(home)).toEqual({ length: 11, other: 'unset' });

  await home.write('.env', 'GREETING_WORD=changed-by-somebody\n');
  const changed = await home.program(['tools', 'call', 't', '--json']);
  expect(changed.code).not.toBe(0);
});

it('`zoo secret set` stores a value that only its owner can read, and configs can use', async () => {
  await using home = await tempHome(FILES);
  await home.serve();
  expect(await home.program(['secret', 'set', 'GREETING_WORD'], { input: 'hello\n' })).toMatchObject({
    code: 0,
  });
  await home.zoo(['trust', '--yes']);
  expect(await result(home)).toEqual({ length: 5, other: 'unset' });
  expect((await home.program(['secret', 'list'])).out).toBe('GREETING_WORD\n');
  const file = join(home.path, 'home', 'secrets', 'GREETING_WORD');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await home.program(['secret', 'rm', 'GREETING_WORD'])).toMatchObject({ code: 0 });
  expect((await home.program(['secret', 'set', '../x'], { input: 'x' })).code).toBe(2);
});
