import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atTerminal, hasTerminal, plainScreen } from '../at-terminal.ts';
import { tempHome } from '../zoo-command.ts';

test.skipIf(!hasTerminal)('messages of every command are coloured at a terminal', async () => {
  await using home = await tempHome({ 'text.md': 'just text\n' });
  const { screen, code } = await atTerminal(['agent', 'import', 'text.md'], {
    cwd: home.work,
    env: home.env,
  });
  expect(code).toBe(1);
  expect(screen).toContain('\u001b[1;31merror\u001b[22;39m: not an agent');
  expect(screen).not.toContain('␛');
});

test('messages are wrapped at words at a terminal, and whole in a pipe', async () => {
  await using home = await tempHome();
  const args = ['agent', 'edit', 'guide', '--set', 'nope=1'];
  const err = plainScreen((await home.inProcess(args, { columns: 60 })).err);
  expect(err).toMatch(/hint: the fields are name, .*\n.*publishedTools/s);
  expect(Math.max(...err.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
  expect((await home.inProcess(args)).err).toMatch(/hint: the fields are name, .*publishedTools\n$/);
});

test('zoo connect --dry-run shows the change and writes nothing', async () => {
  await using home = await tempHome();
  const file = join(home.path, '.cursor', 'mcp.json');
  const added = await home.zoo(['connect', 'cursor', '--dry-run']);
  expect(added).toMatchObject({ code: 0, err: 'Nothing was written.\n' });
  expect(added.out).toMatch(/^--- ~\/\.cursor\/mcp\.json\n.*\+ +"agent-zoo": \{/s);
  expect(existsSync(file)).toBe(false);

  await home.zoo(['connect', 'cursor']);
  const before = readFileSync(file, 'utf8');
  const removed = await home.zoo(['connect', 'cursor', '--remove', '--dry-run']);
  expect(removed.out).toMatch(/^- +"agent-zoo": \{/m);
  expect((await home.zoo(['connect', 'cursor', '--dry-run'])).out).toContain('would not change');
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect((await home.zoo(['connect', 'cursor', '--dry-run', '--print'])).code).toBe(2);
});

test('zoo providers names zoo secret set, which makes a provider usable', async () => {
  await using home = await tempHome();
  expect((await home.zoo(['providers'])).out).toContain('zoo secret set ANTHROPIC_API_KEY');
  await home.zoo(['secret', 'set', 'ANTHROPIC_API_KEY'], { input: 'sk-ant-0123456789abcdef\n' });
  const { out } = await home.zoo(['providers']);
  expect(out).toMatch(/anthropic +ready/);
  expect(out).not.toContain('0123456789abcdef');
});

test('config check and doctor read the files as they are now', async () => {
  await using home = await tempHome({ 'zoo.toml': '[agents.a]\nsystem_prompt = "a"\n' });
  await home.serve();
  for (const count of [1, 2, 3]) {
    await home.write('zoo.toml', `[agents.a]\nsystem_prompt = ${count}\n`);
    expect(await home.inProcess(['config', 'check'])).toMatchObject({ code: 1 });
    await home.write('zoo.toml', `[agents.a]\nsystem_prompt = "${count}"\n`);
    const { out } = await home.inProcess(['doctor', '--json']);
    expect(JSON.parse(out).checks).toContainEqual(
      expect.objectContaining({ name: 'config', message: 'no problems found' }),
    );
    expect((await home.inProcess(['agent', 'test', 'a'])).out).toContain(`  ${count}\n`);
  }
});

test('errors name the agent, and what to do next', async () => {
  await using home = await tempHome();
  const said = async (...args: string[]) => (await home.zoo(args)).err;
  expect(await said('agent', 'undelete', 'guide')).toBe("error: agent 'guide' is not deleted\n");
  expect(await said('agent', 'edit', 'guide', '--skill', 'x=on')).toBe(
    "error: Skill 'x' not found. Available: show-then-tell, command-line-first.\nhint: `zoo agent show guide` lists its skills with their ids\n",
  );
  expect(await said('agent', 'restore', 'guide', '9')).toContain('`zoo agent history guide`');
  await home.zoo(['agent', 'rm', 'guide']);
  expect(await said('agent', 'show', 'guide')).toContain('hint: `zoo agent undelete guide` restores it');
  expect(await said('tools', 'add', 'x', '--url', 'nowhere')).toContain(
    "--url must be an http or https address, not 'nowhere'",
  );
  expect(await said('brain', 'list', 'guide', '--from', 'monday')).toContain(
    "--from must be a day such as 2026-11-15, not 'monday'",
  );
});

test('zoo agent import - recognizes JSON, Markdown and TOML', async () => {
  await using home = await tempHome();
  const imported = async (input: string) => (await home.zoo(['agent', 'import', '-'], { input })).out;
  expect(await imported('{"name": "One", "systemPrompt": "one"}')).toContain('Imported one');
  expect(await imported('---\nname: two\ndescription: two\n---\n\nTwo.\n')).toContain('Imported two');
  expect(await imported('[agents.three]\nsystem_prompt = "three"\n')).toContain('Imported three');
  expect(await imported('[{"name": "Four"}]')).toContain('Imported four');
  expect(await home.zoo(['agent', 'import', '-'], { input: 'hello' })).toMatchObject({
    code: 2,
    err: expect.stringContaining('standard input has no agent'),
  });
});
