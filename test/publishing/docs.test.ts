import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { say, userText } from '../fake-model/script.ts';
import { startFakeModel } from '../fake-model/fake-model.ts';
import { tempHome } from '../zoo-command.ts';

const page = readFileSync(new URL('../../docs/publishing.md', import.meta.url), 'utf8');
const block = (language: string): string =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? '';
const FILLED = 'The user wants to book a flight to Oslo on 2026-12-01, please book accordingly';

it.each(['toml', 'json'])('the examples of docs/publishing.md work, from %s', async (language) => {
  await using model = await startFakeModel([say('Booked.')], { aside: 'Booked.' });
  await using home = await tempHome();
  Object.assign(home.env, { ANTHROPIC_API_KEY: 'sk-secret-key-of-tests', ANTHROPIC_BASE_URL: model.url });
  await home.write(`trips.${language}`, block(language));
  expect(await home.zoo(['agent', 'import', `trips.${language}`])).toMatchObject({ code: 0 });
  const [dry = '', run = ''] = block('sh').split('\n');
  const words = (line: string) => line.split(' ').slice(1);
  expect(await home.zoo(words(dry))).toMatchObject({ code: 0, out: `${FILLED}\n` });
  expect(await home.zoo(words(run))).toMatchObject({ code: 0, out: 'Booked.\n' });
  const [asked] = [...model.requests, ...model.asides];
  expect(asked && userText(asked)).toBe(FILLED);
});
