import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { call, held, say, type Step, userText } from '../fake-model/script.ts';
import { startFakeModel } from '../fake-model/fake-model.ts';
import { PATIENCE } from '../patience.ts';
import { tempHome } from '../zoo-command.ts';

async function stage(steps: readonly Step[]) {
  const model = await startFakeModel(steps);
  const home = await tempHome();
  Object.assign(home.env, { ANTHROPIC_API_KEY: 'sk-secret-key-of-tests', ANTHROPIC_BASE_URL: model.url });
  const config = String(home.env['ZOO_CONFIG_DIR']);
  mkdirSync(config, { recursive: true });
  writeFileSync(
    join(config, 'zoo.toml'),
    '[agents.ada]\nsystem_prompt = "You are Ada."\ntools = ["sources"]\n',
  );
  return {
    model,
    home,
    async [Symbol.asyncDispose]() {
      await home[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}

it('zoo run prints the answer and nothing else to standard output', async () => {
  await using at = await stage([call('sources'), say('No sources yet.\n\n  Add one.')]);
  const { code, out, err } = await at.home.zoo(['run', 'ada', 'Which', 'sources?']);
  expect({ code, out }).toEqual({ code: 0, out: 'No sources yet.\n\n  Add one.\n' });
  expect(err).toContain('→ sources');
  const listed = await at.home.zoo(['runs', 'list', '--json']);
  const [run] = JSON.parse(listed.out).runs;
  expect(run).toMatchObject({ state: 'completed', prompt: 'Which sources?' });
  expect((await at.home.zoo(['runs', 'show', run.id.slice(0, 8)])).out).toContain('Add one.');
  const completed = await at.home.zoo(['__complete', 'zoo runs show ']);
  expect(completed.out).toBe(`${run.id}\tada: Which sources?\n`);
});

it('zoo run writes an answer that broke off and was repeated only once to a file or a program', async () => {
  await using at = await stage([{ ...say('The answer is forty-two.'), cutAfter: 3 }, say('Forty-two.')]);
  const { code, out, err } = await at.home.zoo(['run', 'ada', 'Hi']);
  expect({ code, out }).toEqual({ code: 0, out: 'Forty-two.\n' });
  expect(err).toContain('broke off');
});

it('zoo run says that an answer is empty', async () => {
  await using at = await stage([say('')]);
  const { out, err } = await at.home.zoo(['run', 'ada', 'Hi']);
  expect({ out, err }).toEqual({ out: '', err: expect.stringContaining('answered without any text') });
});

it('zoo run with a schema prints the JSON of the answer alone, and refuses an invalid schema', async () => {
  await using at = await stage([
    { ...call('sources'), text: 'Let me see.' },
    say('{"city":"Oslo"}'),
    say('```json\n{"city":"Bergen"}\n```\n'),
  ]);
  await at.home.write('good.json', '{"type":"object","properties":{"city":{"type":"string"}}}');
  await at.home.write('bad.json', '{"type":"objekt"}');
  const bad = await at.home.zoo(['run', 'ada', 'Hi', '--output-schema', 'bad.json']);
  expect(bad).toMatchObject({ code: 1, out: '' });
  expect(bad.err).toMatch(/bad\.json is not a valid JSON Schema: type must be one of .*, not "objekt"/);
  expect(at.model.requests).toEqual([]);
  const good = await at.home.zoo(['run', 'ada', 'Hi', '--output-schema', 'good.json']);
  expect(good).toMatchObject({ code: 0, out: '{"city":"Oslo"}\n' });
  const fenced = await at.home.zoo(['run', 'ada', 'Hi', '--output-schema', 'good.json']);
  expect(fenced).toMatchObject({ code: 0, out: '{"city":"Bergen"}\n' });
});

it('zoo run reads the prompt from standard input, and fails with the reason', async () => {
  await using at = await stage([]);
  const { code, err } = await at.home.zoo(['run', 'ada', '--model', 'nobody/x'], { input: 'Hi' });
  expect(code).toBe(1);
  expect(err).toContain("No configured provider has the model 'nobody/x'");
});

it('zoo providers shows what is ready and what is missing', async () => {
  await using at = await stage([]);
  const { out, err } = await at.home.zoo(['providers']);
  expect(out).toMatch(/anthropic\s+ready/);
  expect(out).toMatch(/openai\s+missing\s+zoo secret set OPENAI_API_KEY/);
  expect(err).toContain('Default model: anthropic/claude-sonnet-4-5');
  expect(out + err).not.toContain('sk-secret');
});

it('zoo providers without a key says how to get started', async () => {
  await using home = await tempHome();
  Object.assign(home.env, { OLLAMA_HOST: '127.0.0.1:1' });
  const { err } = await home.zoo(['providers']);
  expect(err).toContain('No provider is ready: store a key with one of these commands, or start Ollama.');
});

it('zoo providers says what is wrong with those of the config, and --check fails if one does', async () => {
  await using at = await stage([]);
  await using lists = await startFakeModel([], { extras: { 'GET /v1/models': { data: [{ id: 'first' }] } } });
  const config = (text: string) =>
    writeFileSync(join(String(at.home.env['ZOO_CONFIG_DIR']), 'zoo.toml'), text);
  config(`[providers.local]\nbase_url = "${lists.url}/v1"\n`);
  const good = await at.home.zoo(['providers', '--check']);
  expect([good.code, good.out]).toEqual([0, expect.stringMatching(/local\s+works\s+first answered/)]);

  config(
    '[providers.unset]\nbase_url = "http://127.0.0.1:1/v1"\napi_key = "${NO_SUCH_KEY}"\n' +
      '[providers.odd]\nbase_url = "nonsense"\n[providers.down]\nbase_url = "http://127.0.0.1:1/v1"\n',
  );
  const { code, out, err } = await at.home.zoo(['providers', '--check']);
  expect(out).toMatch(/unset\s+missing.*needs the variable NO_SUCH_KEY/);
  expect(out).toMatch(/odd\s+missing.*base_url is not an http\(s\) address: nonsense/);
  expect(out).toMatch(/down\s+failed.*Cannot connect to http:/);
  expect([code, err]).toEqual([1, expect.stringContaining('error: 1 provider failed')]);
  const run = await at.home.zoo(['run', 'guide', '--model', 'unset/x', 'Hi']);
  expect([run.code, run.err]).toEqual([1, expect.stringContaining("has the model 'unset/x'")]);
});

it('zoo providers names those of a workspace that is not approved', async () => {
  await using home = await tempHome({
    'zoo.toml': '[providers.local]\nbase_url = "http://127.0.0.1:1/v1"\n',
  });
  expect((await home.zoo(['providers'])).out).toMatch(/local\s+missing\s+.*not approved: `zoo trust`/);
});

it('zoo run takes arguments, a schema and JSON; zoo runs cancels, exports and deletes', async () => {
  const waiting = held('Never.');
  await using at = await stage([
    say('{"city":"Oslo"}'),
    waiting.step,
    say('Oslo.'),
    say('{"city":1}'),
    say('pong'),
  ]);
  writeFileSync(
    join(String(at.home.env['ZOO_CONFIG_DIR']), 'zoo.toml'),
    '[agents.ada]\nsystem_prompt = "You speak {{language}}."\narguments = [{ name = "language", required = true }]\ntools = ["sources", "Bash"]\n',
  );
  await at.home.serve();
  await at.home.write('schema.json', '{"type":"object","properties":{"city":{"type":"string"}}}');
  await at.home.write('note.txt', 'The note says Oslo.');
  const words = ['run', 'ada', 'Where?', '--arg', 'language=Norwegian', '--output-schema', 'schema.json'];
  const { out } = await at.home.program([...words, '--file', 'note.txt', '--json']);
  const events = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.at(-1)).toMatchObject({ type: 'done', state: 'completed', text: '{"city":"Oslo"}' });
  // Tools of a client do not exist in a run.
  expect(events[0]).toMatchObject({ type: 'run-started', missingTools: ['Bash'] });
  const [asked] = at.model.requests;
  expect(asked?.system).toContain('You speak Norwegian.');
  expect(asked && userText(asked)).toContain('The note says Oslo.');

  const without = await at.home.zoo(['run', 'ada', 'Hi']);
  expect([without.code, without.err]).toEqual([1, expect.stringContaining('add `--arg language=…`')]);

  const untold = await at.home.inProcess(['chat', 'ada'], { answers: [] });
  expect([untold.code, untold.err]).toEqual([1, expect.stringContaining('add `--arg language=…`')]);

  const child = at.home.start(['run', 'ada', 'Hi', '--arg', 'language=Norwegian']);
  const ended = once(child, 'exit');
  await expect.poll(() => at.model.requests.length, PATIENCE).toBe(2);
  const [running, first] = JSON.parse((await at.home.zoo(['runs', 'list', '--json'])).out).runs;
  const cancelled = await at.home.zoo(['runs', 'cancel', running.id.slice(0, 8)]);
  expect(cancelled.out).toBe(`Run ${running.id} is cancelled.\n`);
  expect(await ended).toEqual([1, null]);
  waiting.release();

  const prose = await at.home.zoo(words);
  expect([prose.code, prose.out, prose.err]).toEqual([
    1,
    'Oslo.\n',
    expect.stringContaining('the answer does not fit the schema: it is not JSON'),
  ]);
  expect((await at.home.zoo(words)).err).toContain('answer.city must be text, not a number');

  expect((await at.home.zoo(['runs', 'export', first.id])).out).toContain('Where?');
  expect(JSON.parse((await at.home.zoo(['runs', 'export', first.id, '--json'])).out)).toMatchObject({
    id: first.id,
  });
  const resumed = await at.home.zoo(['runs', 'resume', first.id]);
  expect([resumed.code, resumed.err]).toEqual([1, expect.stringContaining('only an interrupted run')]);
  expect((await at.home.zoo(['runs', 'cancel', first.id])).out).toContain('had already ended: completed.');
  expect((await at.home.zoo(['runs', 'list', '--agent', 'bob'])).err).toBe("No runs of agent 'bob'.\n");
  expect((await at.home.zoo(['chats', 'list', '--agent', 'bob'])).err).toContain(
    "No chats with agent 'bob'.",
  );
  expect((await at.home.zoo(['runs', 'rm', first.id])).code).toBe(0);
  expect((await at.home.zoo(['runs', 'show', first.id])).code).toBe(1);
  const log = () => readFileSync(join(at.home.path, 'home/logs/hub.log'), 'utf8').split('\n');
  const endOf = (line: string) => line.includes('run ended') && line.includes(running.id);
  await expect.poll(() => log().filter(endOf), PATIENCE).toHaveLength(1);

  expect((await at.home.zoo(['providers', '--check'])).out).toMatch(/anthropic\s+works/);
  expect(at.model.requests.at(-1)?.messages).toHaveLength(1);
});

it('a run resumes after the hub was killed, and after a restore with zoo runs resume', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const answers: Step[] = [
    call('sources'),
    async () => {
      await held;
      return say('too late');
    },
    say('After the restart.'),
    say('After the restore.'),
  ];
  await using at = await stage(answers);
  const first = await at.home.serve();
  const client = at.home.start(['run', 'ada', 'Hi']);
  await expect.poll(() => at.model.requests.length).toBe(2);
  const backup = join(at.home.path, 'zoo.backup');
  expect(await at.home.zoo(['backup', backup])).toMatchObject({ code: 0 });
  const ended = once(first.child, 'exit');
  first.child.kill('SIGKILL');
  await ended;
  client.kill('SIGKILL');
  release();
  await at.home.serve();
  const runs = async () => JSON.parse((await at.home.zoo(['runs', 'list', '--json'])).out).runs;
  await expect.poll(async () => (await runs())[0]?.state, PATIENCE).toBe('completed');
  const [run] = await runs();
  const { out } = await at.home.zoo(['runs', 'show', run.id, '--json']);
  expect(JSON.parse(out)).toMatchObject({ text: 'After the restart.', steps: 2 });
  expect(at.model.requests).toHaveLength(3);

  // Whether a backup is continued is the user's decision.
  expect(await at.home.zoo(['restore', backup, '--yes'])).toMatchObject({ code: 0 });
  await expect.poll(async () => (await runs())[0]?.state, PATIENCE).toBe('interrupted');
  expect(await at.home.program(['runs', 'resume', run.id.slice(0, 8)])).toMatchObject({
    code: 0,
    out: `Resumed run ${run.id}. Progress: zoo runs show ${run.id.slice(0, 8)}\n`,
  });
  await expect.poll(async () => (await runs())[0]?.state, PATIENCE).toBe('completed');
  const again = await at.home.program(['runs', 'show', run.id, '--json']);
  expect(JSON.parse(again.out)).toMatchObject({ text: 'After the restore.', steps: 2 });
  expect(at.model.requests).toHaveLength(4);
});
