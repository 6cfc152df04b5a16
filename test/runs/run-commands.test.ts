import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { call, say, type Step } from '../fake-model/script.ts';
import { startFakeModel } from '../fake-model/fake-model.ts';
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

it('a run resumes after the hub was killed', async () => {
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
  ];
  await using at = await stage(answers);
  const first = await at.home.serve();
  const client = at.home.start(['run', 'ada', 'Hi']);
  await expect.poll(() => at.model.requests.length).toBe(2);
  const ended = once(first.child, 'exit');
  first.child.kill('SIGKILL');
  await ended;
  client.kill('SIGKILL');
  release();
  await at.home.serve();
  const runs = async () => JSON.parse((await at.home.zoo(['runs', 'list', '--json'])).out).runs;
  await expect.poll(async () => (await runs())[0]?.state).toBe('completed');
  const [run] = await runs();
  const { out } = await at.home.zoo(['runs', 'show', run.id, '--json']);
  expect(JSON.parse(out)).toMatchObject({ text: 'After the restart.', steps: 2 });
  expect(at.model.requests).toHaveLength(3);
});
