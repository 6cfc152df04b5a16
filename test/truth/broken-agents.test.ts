import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempHome } from '../zoo-command.ts';

const SCRIPT = (text: string) =>
  `agent = { description = "d" }\nfunction agent.resolve() return { system = "${text}" } end\n`;

/** Each kind of agent in a file: valid, then broken in the line that is named. */
const kinds = [
  {
    kind: 'a Lua script',
    files: { 'zoo.toml': '[agents.script.x]\npath = "x.lua"\n', 'x.lua': SCRIPT('the good one') },
    broken: { 'x.lua': 'agent = {}\nfunction oops(\n' },
    place: 'x.lua:3',
  },
  {
    kind: 'a TypeScript module',
    files: {
      'zoo.toml': '[agents.module.x]\npath = "x.ts"\n',
      'x.ts':
        'export default { name: "x", description: "d", resolve: () => ({ system: "the good one" }) };\n',
    },
    broken: { 'x.ts': 'export default {\n  name: "x",,\n};\n' },
    place: 'x.ts',
  },
  {
    kind: 'an inline agent',
    files: { 'zoo.toml': '[agents.x]\nsystem_prompt = "the good one"\n' },
    broken: { 'zoo.toml': '[agents.x]\nsystem_prompt = "the good one"\ntools = 7\n' },
    place: 'zoo.toml:3',
  },
  {
    kind: 'a config that is not TOML',
    files: { 'zoo.toml': '[agents.x]\nsystem_prompt = "the good one"\n' },
    broken: { 'zoo.toml': '[agents.x\nsystem_prompt = "the good one"\n' },
    place: 'zoo.toml:1',
  },
] as const;

const all = async (home: Awaited<ReturnType<typeof tempHome>>, files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) await writeFile(join(home.work, name), text);
};

describe('an agent whose file is broken now', () => {
  it.for(kinds)('as $kind, `zoo agent test` names file and line and the last good version', async (kind) => {
    await using home = await tempHome(kind.files);
    await home.zoo(['trust', '--yes']);
    const good = await home.program(['agent', 'test', 'x']);
    expect(good).toMatchObject({ code: 0, err: '' });
    expect(good.out).toContain('the good one');

    await all(home, kind.broken);
    await home.zoo(['trust', '--yes']);
    const { out, err } = await home.program(['agent', 'test', 'x']);
    expect(out + err).toContain(kind.place);
    expect(out + err).toMatch(/last good version of 'x'|broken since/);
  });

  it('that never was valid says why it cannot be loaded, instead of not existing', async () => {
    await using home = await tempHome({
      'zoo.toml': '[agents.script.fresh]\npath = "fresh.lua"\n',
      'fresh.lua': 'agent = {\n',
    });
    await home.zoo(['trust', '--yes']);
    const { code, err } = await home.program(['agent', 'test', 'fresh']);
    expect(code).not.toBe(0);
    expect(err).toContain("Agent 'fresh' cannot be loaded. fresh.lua:");
    expect(err).not.toContain('not found');
  });

  it('is marked in the list of agents', async () => {
    await using home = await tempHome({ 'zoo.toml': '[agents.x]\nsystem_prompt = "hello"\n' });
    await home.program(['agent', 'list']);
    await home.write('zoo.toml', '[agents.x]\nsystem_prompt = 7\n');
    const { agents } = JSON.parse((await home.program(['agent', 'list', '--json'])).out);
    expect(agents).toContainEqual(
      expect.objectContaining({ id: 'x', stale: expect.stringContaining('zoo.toml:2') }),
    );
    const { out } = await home.program(['agent', 'list']);
    expect(out).toMatch(/zoo\.toml:2: .* the last good version of 'x'/);
  });

  it('is named in the list, and when it is asked for, if no version of it can be served', async () => {
    await using home = await tempHome({
      'zoo.toml': '[agents.script.fresh]\npath = "fresh.lua"\n',
      'fresh.lua': 'agent = {\n',
    });
    await home.zoo(['trust', '--yes']);
    expect((await home.program(['agent', 'list'])).err).toContain('fresh.lua:2: error: ');
    await home.write('zoo.toml', '[agents.script.fresh]\npath = = 7\n');
    expect((await home.program(['agent', 'list'])).err).toContain('zoo.toml:2: error: not valid TOML');
    expect((await home.program(['agent', 'test', 'fresh'])).err).toContain(
      'Agents may be missing while the config is broken: zoo.toml:2: not valid TOML',
    );
  });

  it('is named with its line in the receipt, over HTTP too', async () => {
    await using home = await tempHome({ 'zoo.toml': '[agents.x]\nsystem_prompt = "hello"\n' });
    const { url } = await home.serve();
    const token = (await home.zoo(['token'])).out.trim();
    const resolve = async () => {
      const response = await fetch(`${url}/agents/x/prompt`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{}',
      });
      return response.text();
    };
    expect(JSON.parse(await resolve())).toMatchObject({ result: { receipt: { warnings: [] } } });
    await home.write('zoo.toml', '[agents.x]\nsystem_prompt = 7\n');
    const warning = expect.stringMatching(/zoo\.toml:2: .* the last good version of 'x'/);
    await expect
      .poll(async () => JSON.parse(await resolve()))
      .toMatchObject({ result: { system: 'hello', receipt: { warnings: [warning] } } });
  });
});

it('an undeclared placeholder is a warning, in the check and in the test', async () => {
  await using home = await tempHome({
    'zoo.toml': '[agents.x]\nsystem_prompt = "Hello {{nmae}}"\n[[agents.x.arguments]]\nname = "name"\n',
  });
  const tested = await home.program(['agent', 'test', 'x', '--arg', 'name=Ada']);
  expect(tested.out).toContain('{{nmae}} is not a declared argument');
  expect(tested.out).toContain('Did you mean {{name}}?');
  const checked = await home.program(['config', 'check']);
  expect(checked.out + checked.err).toContain('{{nmae}} is not a declared argument');
});
