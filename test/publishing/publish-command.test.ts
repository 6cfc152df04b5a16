import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { say, type Step, userText } from '../fake-model/script.ts';
import { startFakeModel } from '../fake-model/fake-model.ts';
import { tempHome } from '../zoo-command.ts';
import { BOOK_FLIGHT, FILLED, TRIP, TRIPS_TOML } from './stage.ts';

const MARKDOWN = `---
name: Trips
mode: tools
tools: [sources]
published_tools:
  - ${JSON.stringify(BOOK_FLIGHT)}
---
You book trips.
`;
/** Seed 004's file as it is printed. */
const JSON_FILE = JSON.stringify({ metadata: { name: 'My Tools Agent', tools: [BOOK_FLIGHT] } });

async function home(steps: readonly Step[]) {
  const model = await startFakeModel(steps, { aside: 'Booked.' });
  const at = await tempHome();
  Object.assign(at.env, { ANTHROPIC_API_KEY: 'sk-secret-key-of-tests', ANTHROPIC_BASE_URL: model.url });
  const config = String(at.env['ZOO_CONFIG_DIR']);
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'zoo.toml'), TRIPS_TOML);
  return {
    at,
    model,
    async [Symbol.asyncDispose]() {
      await at[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}

const PROGRAM = fileURLToPath(new URL('../../dist/zoo.js', import.meta.url));
const params = Object.entries(TRIP).flatMap(([name, value]) => ['--param', `${name}=${value}`]);

it('zoo publish says what is wrong with a file', async () => {
  await using at = await tempHome({ 'notes.txt': 'Hi.' });
  const errors: string[] = [];
  for (const file of ['missing.json', './trips', 'notes.txt']) {
    const { code, err } = await at.zoo(['publish', file]);
    expect(code).toBe(1);
    errors.push(err.split('\n')[0] ?? '');
  }
  expect(errors).toEqual([
    'error: cannot read missing.json: no such file or folder',
    'error: cannot read ./trips: no such file or folder',
    'error: notes.txt is not an agent file: its name must end in .toml, .md or .json',
  ]);
});

describe('zoo publish test', () => {
  it('shows the prompt, and with --dry nothing else', async () => {
    await using on = await home([]);
    const dry = await on.at.zoo(['publish', 'test', 'trips', 'book_flight', '--dry', ...params.slice(0, 2)]);
    expect(dry).toMatchObject({ code: 0, out: `${FILLED.replace('2026-12-01', '{departure_date}')}\n` });
    expect(dry.err).toContain('A call would be refused: book_flight: departure_date is missing');
    expect(on.model.requests).toEqual([]);
  });

  it('warns of a parameter that the tool does not have', async () => {
    await using on = await home([]);
    const words = ['publish', 'test', 'trips', 'book_flight', '--dry', ...params];
    const { out, err } = await on.at.zoo([...words, '--param', 'destinaton=Rome']);
    expect({ out, err }).toEqual({
      out: `${FILLED}\n`,
      err: "warning: 'book_flight' has no parameter 'destinaton'; did you mean 'destination'?\n",
    });
  });

  it('runs the prompt, and names every wrong parameter', async () => {
    await using on = await home([say('Booked.')]);
    const done = await on.at.zoo(['publish', 'test', 'trips', 'book_flight', ...params]);
    expect(done).toMatchObject({ code: 0, out: 'Booked.\n', err: expect.stringContaining(FILLED) });
    const wrong = await on.at.zoo(['publish', 'test', 'trips', 'book_flight']);
    expect(wrong.err).toMatch(/destination is missing; departure_date is missing/);
    const unknown = await on.at.zoo(['publish', 'test', 'trips', 'book_fligth']);
    expect(unknown.err).toContain('did you mean book_flight?');
  });
});

describe('zoo publish', () => {
  it.each([
    ['an id', 'trips', null],
    ['a TOML file', 'other.toml', TRIPS_TOML.replaceAll('trips', 'journeys')],
    ['a Markdown file', 'voyages.md', MARKDOWN],
    ["seed 004's JSON file", 'tools.json', JSON_FILE],
  ])('serves the tools of %s over stdio', async (_what, name, text) => {
    await using on = await home([say('Booked.')]);
    await on.at.serve();
    if (text !== null) writeFileSync(join(on.at.work, name), text);
    const command = process.execPath;
    const args = [PROGRAM, 'publish', name];
    const client = new Client({ name: 'test', version: '1.0.0' });
    const env = Object.fromEntries(
      Object.entries(on.at.env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    );
    await client.connect(new StdioClientTransport({ command, args, env, cwd: on.at.work }));
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toContain('book_flight');
    const { content } = await client.callTool({ name: 'book_flight', arguments: TRIP });
    expect(content).toEqual([{ type: 'text', text: 'Booked.' }]);
    const [asked] = [...on.model.requests, ...on.model.asides];
    expect(asked && userText(asked)).toBe(FILLED);
    await client.close();
  });
});
