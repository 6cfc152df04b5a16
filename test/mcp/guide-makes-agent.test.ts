import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { readOperatorToken } from '../../src/platform/home/access.ts';
import { startFakeModel } from '../fake-model/fake-model.ts';
import { call, lastResult, say } from '../fake-model/script.ts';
import { tempHome } from '../zoo-command.ts';

const program = fileURLToPath(new URL('../../dist/zoo.js', import.meta.url));
const EDITING = ['agent_zoo_create_agent', 'agent_zoo_update_agent'];

const Chat = z.looseObject({ id: z.string() });
const Sent = z.looseObject({ runId: z.string() });
const Questions = z.looseObject({ questions: z.array(z.looseObject({ id: z.string() })) });

type Home = Awaited<ReturnType<typeof tempHome>>;

/** The program as an IDE starts it. */
async function connectTo(home: Home) {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const env = Object.fromEntries(
    Object.entries(home.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], env, cwd: home.work }),
  );
  return {
    client,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

it('an MCP client creates and changes an agent with the built program', async () => {
  await using home = await tempHome();
  await home.serve();
  await using at = await connectTo(home);
  expect(await at.names()).toEqual(expect.arrayContaining(EDITING));
  const created = await at.client.callTool({
    name: 'agent_zoo_create_agent',
    arguments: { name: 'Poet', systemPrompt: 'You rhyme.', tools: [] },
  });
  expect(created.isError ?? false).toBe(false);
  await at.client.callTool({
    name: 'agent_zoo_update_agent',
    arguments: { agentId: 'poet', description: 'Writes verse.' },
  });
  const { out } = await home.zoo(['agent', 'show', 'poet', '--json']);
  expect(JSON.parse(out)).toMatchObject({ systemPrompt: 'You rhyme.', description: 'Writes verse.' });
});

it('[mcp] editing = false hides the editing tools from MCP clients', async () => {
  await using home = await tempHome({ 'zoo.toml': '[mcp]\nediting = false\n' });
  await home.serve();
  await using at = await connectTo(home);
  const names = await at.names();
  expect(names).toContain('agent_zoo_list_agents');
  expect(names.filter((name) => EDITING.includes(name))).toEqual([]);
  const refused = await at.client.callTool({ name: 'agent_zoo_create_agent', arguments: { name: 'X' } });
  expect(refused.isError).toBe(true);
});

it('the shipped guide makes an agent in a chat, once the person allows it', async () => {
  await using model = await startFakeModel([
    call('agent_zoo_create_agent', { name: 'Poet', systemPrompt: 'You rhyme.', tools: [] }),
    (request) => say(`Made: ${lastResult(request).slice(0, 40)}`),
  ]);
  await using home = await tempHome();
  Object.assign(home.env, { ANTHROPIC_API_KEY: 'sk-secret-key-of-tests', ANTHROPIC_BASE_URL: model.url });
  const { url } = await home.serve();
  const token = readOperatorToken(String(home.env['ZOO_HOME'])) ?? '';
  const request = async (path: string, body?: unknown) => {
    const response = await fetch(url + path, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    return answer;
  };
  const chat = Chat.parse(await request('/api/chats', { agent: 'guide' }));
  const { runId } = Sent.parse(
    await request(`/api/chats/${chat.id}/messages`, { message: 'Make me a poet.' }),
  );
  const questions = async () => Questions.parse(await request('/api/questions')).questions;
  await expect.poll(async () => (await questions()).length).toBe(1);
  expect((await home.zoo(['agent', 'list', '--json'])).out).not.toContain('"poet"');
  const [question] = await questions();
  expect(question).toMatchObject({ kind: 'approval', details: { tool: 'agent_zoo_create_agent' } });
  await request(`/api/questions/${question?.id}/answer`, { answer: { decision: 'once' } });
  await expect
    .poll(() => request(`/api/runs/${runId}`))
    .toMatchObject({ state: 'completed', text: expect.stringMatching(/^Made: /) });
  const { out } = await home.zoo(['agent', 'show', 'poet', '--json']);
  expect(JSON.parse(out)).toMatchObject({ systemPrompt: 'You rhyme.' });
});
