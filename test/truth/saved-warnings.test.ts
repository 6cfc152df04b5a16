import { expect, test } from 'vitest';
import { rawCaller } from './raw-caller.ts';
import { tempHome } from '../zoo-command.ts';

const PLACEHOLDER = '{{servce}} is not a declared argument and stays as written.';
const TOOL = "Tool 'serch' not found; did you mean 'search'?";
const AGENT = {
  systemPrompt: 'Fix {{servce}}.',
  arguments: [{ name: 'service' }],
  tools: ['serch'],
};

test('an undeclared placeholder and a misspelt tool are warnings, however the agent is saved', async () => {
  await using home = await tempHome({
    'import.json': JSON.stringify({ id: 'imported', name: 'Imported', ...AGENT }),
  });
  const { url } = await home.serve();
  const { http, mcp } = await rawCaller(home, url);
  const callTool = (name: string, args: unknown): Promise<string> =>
    mcp('tools/call', { name, arguments: args });

  const answers = {
    'zoo agent import': (await home.program(['agent', 'import', 'import.json'])).err,
    'POST /api/agents': await http('/api/agents', { name: 'Posted', ...AGENT }),
    'PUT /api/agents/ID': await http('/api/agents/posted', { name: 'Posted', ...AGENT }, 'PUT'),
    'PATCH /api/agents/ID': await http('/api/agents/posted', { description: 'x' }, 'PATCH'),
    'zoo agent edit': (await home.program(['agent', 'edit', 'posted', '--set', 'description=y'])).err,
    agent_zoo_create_agent: await callTool('agent_zoo_create_agent', {
      name: 'Called',
      tools: ['serch'],
      systemPrompt: AGENT.systemPrompt,
    }),
    agent_zoo_update_agent: await callTool('agent_zoo_update_agent', { agentId: 'posted', description: 'z' }),
  };
  const silent = Object.entries(answers).filter(
    ([, answer]) => !answer.includes(PLACEHOLDER) || !answer.includes(TOOL),
  );
  expect(silent).toEqual([]);
  const created = await home.program(['agent', 'create', '--name', 'Fresh', '--system-prompt', 'Fix {{x}}.']);
  expect(created.err).toContain('warning: {{x}} is not a declared argument and stays as written.');
  const given = await home.program(['agent', 'test', 'fresh', '--arg', 'x=payments']);
  expect(given.out).toContain("Argument 'x' is ignored: agent 'fresh' takes no arguments.");
  expect(given.out).toContain('{{x}} is not a declared argument');
});
