import { describe, expect, it } from 'vitest';
import { tempHome } from '../zoo-command.ts';

const lua = (body: string, more = '') => `
agent = { name = "x", tools = { "search" } ${more} }
function agent.resolve(args, config, context)
${body}
end
return agent
`;
const agents = (...names: string[]) =>
  names.map((name) => `[agents.script.${name}]\npath = "agents/${name}.lua"\n`).join('');

describe('the command line of scripts', () => {
  it('creates working scaffolds, and never overwrites files', async () => {
    await using home = await tempHome();
    const lines: string[] = [];
    for (const args of [
      ['agent', 'init', 'sre-helper'],
      ['agent', 'init', 'ts-helper', '--lang', 'ts'],
      ['tool', 'init', 'count_words'],
      ['connector', 'init', 'wiki'],
    ]) {
      const { out } = await home.inProcess([...args, '--json']);
      lines.push(JSON.parse(out).config);
    }
    await home.write('zoo.toml', lines.join('\n'));
    expect(await home.zoo(['agent', 'init', 'other'])).toMatchObject({
      code: 0,
      out: 'Created: agents/other.lua\nAdd to config:\n\n  [agents.script.other]\n  path = "agents/other.lua"\n  timeout = 30\n',
    });
    expect(await home.zoo(['agent', 'init', 'other'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('already exists'),
    });
    expect(await home.zoo(['agent', 'init', 'md-helper', '--lang', 'md'])).toMatchObject({
      out: 'Created: agents/md-helper.md\n',
    });
    await home.zoo(['trust', '--yes']);
    const test = async (...args: string[]) => (await home.zoo(args)).out;
    expect(await test('agent', 'test', 'sre-helper', '--arg', 'topic=Ops')).toContain(
      'You answer questions about Ops.',
    );
    expect(await test('agent', 'test', 'ts-helper')).toContain('You answer questions about this project.');
    expect(await test('agent', 'test', 'md-helper')).toContain('You answer questions about this project.');
    expect(await test('tool', 'list')).toMatch(
      /count_words +Counts the words and lines of a text +\(text, unit\?\)/,
    );
    const counted = await test('tool', 'test', 'count_words', '--arg', 'text=one two', '--json');
    expect(JSON.parse(counted)).toMatchObject({ value: { words: 2, lines: 1 }, logs: [] });
    expect(await test('connector', 'test', 'wiki')).toContain('welcome.md');
    expect((await home.zoo(['config', 'check'])).code).toBe(0);
  });

  it('creates a working agent in a new config', async () => {
    await using home = await tempHome();
    expect(await home.inProcess(['agent', 'init', 'helper', '--lang', 'toml'])).toMatchObject({ code: 0 });
    const tested = await home.inProcess(['agent', 'test', 'helper']);
    expect(tested).toMatchObject({ code: 0, err: '' });
    expect(tested.out).toContain('You answer questions about this project.');
    expect(tested.out).toContain('Tools: search, get');
    expect((await home.inProcess(['config', 'check'])).code).toBe(0);
  });

  it('refuses to copy a computed agent, and says what to copy instead', async () => {
    await using home = await tempHome({
      'zoo.toml': agents('a'),
      'agents/a.lua': lua('  return { system = "hi" }'),
    });
    await home.inProcess(['trust', '--yes']);
    for (const [args, why] of [
      [
        ['agent', 'clone', 'a'],
        /Agent 'a' is computed by .*a\.lua\), so a copy in the editor would have no prompt/,
      ],
      [['agent', 'export', 'a'], /agent a is computed by its lua file: copy that file instead/],
    ] as const) {
      const refused = await home.inProcess(args);
      expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringMatching(why) });
    }
  });

  it('shows the traceback and log of a failed script, and the timing of a successful one', async () => {
    await using home = await tempHome({
      'zoo.toml': `${agents('good', 'bad')}[tools.script.say]\npath = "agents/say.lua"\n`,
      'agents/say.lua':
        'return { description = "d", parameters = { { name = "word", type = "string" } }, execute = function(p) log.info("saying") if not p.word then error("no word") end return p.word end }',
      'agents/good.lua': lua('  log.warn("careful")\n  context.search("x")\n  return { system = "hi" }'),
      'agents/bad.lua': lua('  log.info("about to fail")\n  error("no luck")'),
    });
    await home.zoo(['trust', '--yes']);
    const good = await home.zoo(['agent', 'test', 'good']);
    expect(good.out).toMatch(
      /\nLog:\n {2}\S+ +warn +careful\n\nTiming:\n {2}context\.search +1× +\S+\n {2}script +\S+\n/,
    );
    const bad = await home.zoo(['agent', 'test', 'bad']);
    expect(bad).toMatchObject({ code: 1, out: '' });
    expect(bad.err).toMatch(
      /Log:\n {2}\S+ +info +about to fail\nTraceback:\n {2}bad\.lua:5: .*\nerror: Agent 'bad' failed: bad\.lua:5: no luck\n/s,
    );
    const said = await home.zoo(['tool', 'test', 'say', '--arg', 'word=hello']);
    expect(said).toMatchObject({ code: 0, out: 'hello\n' });
    expect(said.err).toMatch(/^Log:\n {2}\S+ +info +saying\nDone in \d+ms\n$/);
    const silent = await home.zoo(['tool', 'test', 'say']);
    expect(silent).toMatchObject({ code: 1, out: '' });
    expect(silent.err).toMatch(
      /Log:\n {2}\S+ +info +saying\nTraceback:\n {2}say\.lua:1: .*\nerror: Tool 'say' failed: say\.lua:1: no word\n/s,
    );
  });

  it('watches an agent, and shows it again when its script changes', async () => {
    await using home = await tempHome({
      'zoo.toml': agents('a'),
      'agents/a.lua': lua('  return { system = "first" }'),
    });
    const child = home.start(['agent', 'test', 'a', '--watch', '--trust']);
    let said = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    await expect.poll(() => said).toMatch(/first[^]*Watching a/);
    await home.write('agents/a.lua', lua('  return { system = "second" }'));
    await expect.poll(() => said).toContain('second');
    await home.write('agents/a.lua', lua('  error("third")'));
    await expect.poll(() => said).toContain('a.lua:4: third');
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });
});
