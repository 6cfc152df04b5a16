import { expect, test } from 'vitest';
import type { AgentSummary } from '../src/contract/agent.ts';
import type { Diagnostic } from '../src/contract/diagnostic.ts';
import type { ScopePreview } from '../src/contract/scope.ts';
import { startHub } from './start-hub.ts';

const config = `[workspace]
default_agent = "zebra"
suggested = ["yak", "zebra", "yakk"]

[tools.groups]
reading = ["search", "get"]

[agents.aardvark]
system_prompt = "A."
tools = ["reading", "!get", "away.tool"]
[agents.yak]
system_prompt = "Y."
[agents.zebra]
system_prompt = "Z."
`;

test('the default and suggested agents of a workspace are listed first, and unknown ones are reported', async () => {
  await using hub = await startHub(
    { 'zoo.toml': config },
    { own: { 'zoo.toml': '[workspace]\nsuggested = ["aardvark"]\n' } },
  );
  const { body } = await hub.request('GET', '/api/agents?limit=3');
  expect(body.agents.map(({ id, featured }: AgentSummary) => [id, featured])).toEqual([
    ['zebra', 'default'],
    ['yak', 'suggested'],
    ['aardvark', undefined],
  ]);
  const { body: found } = await hub.request('GET', '/api/diagnostics');
  expect(found.diagnostics.filter(({ code }: Diagnostic) => code === 'unknown-agent')).toMatchObject([
    { message: "there is no agent 'yakk' to show first", line: 3, hint: "Did you mean 'yak'?" },
  ]);
});

test('a scope is previewed for a list that is not saved, with the reason for every tool', async () => {
  await using hub = await startHub({ 'zoo.toml': config });
  const preview = async (tools: string[] | null): Promise<ScopePreview> =>
    (await hub.request('POST', '/api/agents/aardvark/scope/preview', { tools })).body;
  const listed = await preview(['reading', '!get', 'away.tool']);
  const reasons = Object.fromEntries(
    listed.tools.map(({ name, allowed, because }) => [name, [allowed, because]]),
  );
  expect(reasons['search']).toEqual([true, "it is granted by 'reading': the group 'reading' has 'search'"]);
  expect(reasons['get']).toEqual([false, "it is excluded by '!get'"]);
  expect(reasons['agent_zoo_inject']).toEqual([false, 'no entry of its `tools` list matches it']);
  expect(listed).toMatchObject({ unknown: ['away.tool'], groups: [{ name: 'reading', tools: 2 }] });
  const byDefault = await preview(null);
  expect(byDefault.tools.filter(({ allowed }) => allowed).length).toBeGreaterThan(2);
  expect((await preview([])).tools.every(({ allowed }) => !allowed)).toBe(true);
});
