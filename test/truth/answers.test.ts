import { readFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { rawCaller } from './raw-caller.ts';
import { tempHome } from '../zoo-command.ts';

const LONG = readFileSync(new URL('../../docs/config.md', import.meta.url), 'utf8');

const lua = (body: string): string =>
  `agent = { description = "d" }\nfunction agent.resolve()\n${body}\nend\nreturn agent\n`;

const FILES = {
  'zoo.toml': `[connectors.filesystem.docs]
root = "docs"
[agents.script.finder]
path = "finder.lua"
[agents.script.lost]
path = "lost.lua"
`,
  'finder.lua': lua(
    '  local hits = context.search{query="payments queue"}\n  local whole = context.get("auth.md")\n  return { system = hits[1].title .. whole.title }',
  ),
  'lost.lua': lua('  context.search{query="x", filters={source="nowhere"}}\n  return { system = "x" }'),
  'docs/auth.md': '<h1 align="center">Auth <em>guide</em></h1>\n\nnpm says ERESOLVE in createSession.\n',
  'docs/pay.md':
    '# [![CI](https://ci.example/badge.svg)](https://ci.example) Payments ![v1](https://v.example/1.svg)\n\nDrain the payments queue.\n',
  'docs/long.md': LONG,
};

test(
  'documents have clean titles, exact token counts and a place in receipts',
  { timeout: 600_000 },
  async () => {
    await using home = await tempHome(FILES);
    await home.zoo(['trust', '--yes']);
    await home.zoo(['sync']);
    const { url } = await home.serve();
    const { http, mcp } = await rawCaller(home, url);

    // A question with quotes finds the same over every surface.
    const quoted = { query: 'my build says npm ERR! code "ERESOLVE", “every time”' };
    const { out } = await home.program(['search', quoted.query, '--json']);
    expect(JSON.parse(out).results[0]).toMatchObject({ path: 'auth.md', title: 'Auth guide' });
    expect(JSON.parse(await http('/tools/search', quoted)).result.results[0].path).toBe('auth.md');
    expect(await mcp('tools/call', { name: 'search', arguments: quoted })).toContain('auth.md');
    const badged = JSON.parse(await http('/tools/search', { query: 'payments queue' }));
    expect(badged.result.results[0].title).toBe('Payments');

    const long = JSON.parse((await home.program(['get', 'long.md', '--json'])).out);
    expect(long.body).toBe(LONG);
    expect(Math.abs(long.tokens / countTokens(LONG) - 1)).toBeLessThan(0.01);

    const resolved = JSON.parse(await http('/agents/finder/prompt', {}));
    const age = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    expect(resolved.result.receipt).toMatchObject({ searches: 1, fetches: 1 });
    expect(resolved.result.receipt.parts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          kind: 'context',
          path: 'pay.md',
          score: expect.any(Number),
          tokens: expect.any(Number),
          updatedAt: age,
        }),
        expect.objectContaining({
          kind: 'context',
          path: 'auth.md',
          tokens: expect.any(Number),
          updatedAt: age,
        }),
      ]),
    );
    const lost = await home.program(['agent', 'test', 'lost']);
    expect(lost).toMatchObject({ code: 1, err: expect.stringMatching(/[Ss]ource 'nowhere'/) });
  },
);

test('tools/list is truthful about unknown arguments and the network', async () => {
  await using home = await tempHome();
  const { url } = await home.serve();
  const { http } = await rawCaller(home, url);
  const { tools } = JSON.parse((await home.program(['tools', 'list', '--json'])).out);
  const wrong: string[] = [];
  for (const { name, inputSchema } of tools) {
    const required = Object.fromEntries(
      (inputSchema.required ?? []).map((key: string) => [key, sampleOf(inputSchema.properties[key])]),
    );
    const answer = await http(`/tools/${name}`, { ...required, surprise: 1 });
    const refused = /`surprise`|surprise is not an argument/.test(answer);
    if (refused !== (inputSchema.additionalProperties === false)) wrong.push(`${name}: ${answer}`);
  }
  expect(tools.length).toBeGreaterThan(10);
  expect(wrong).toEqual([]);
  const skill = await http('/tools/agent_zoo_create_agent', {
    name: 'x',
    skills: [{ name: 'y', surprise: 1 }],
  });
  expect(skill).toContain('surprise');
  const inject = tools.find(({ name }: { name: string }) => name === 'agent_zoo_inject');
  // An agent may be a script that reaches the network.
  expect(inject.annotations).toMatchObject({ readOnlyHint: true, openWorldHint: true });
});

function sampleOf({ type, enum: choices }: { type?: unknown; enum?: unknown[] }): unknown {
  if (choices) return choices[0];
  return type === 'boolean' ? true : type === 'integer' ? 1 : 'nothing';
}
