import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { call, stage, WAYS } from '../mcp/mcp-clients.ts';
import { startHub } from '../start-hub.ts';
import { tempHome } from '../zoo-command.ts';

/** The examples of seed 002, as it prints them; §3.3 as the TypeScript module that stands for it. */
const example = (name: string) => readFileSync(join(import.meta.dirname, 'seed-002', name), 'utf8');

const RUNBOOK = '# Payments down\n\nThe payments-api incident runbook: restart it, then look at the queue.\n';
const CONFIG = `
[connectors.filesystem.runbooks]
root = "runbooks"

[agents.script.incident-responder]
path = "agents/incident-responder.lua"
timeout = 30
# Extra config keys passed to agent.resolve(args, config, context)
search_limit = 5
priority_sources = ["runbooks", "playbooks"]

[tools.script.create_jira_ticket]
path = "tools/create-jira-ticket.lua"

[agents.module.db-expert]
path = "agents/db-expert.ts"
`;
const FILES = {
  'ctx.toml': CONFIG,
  'agents/incident-responder.lua': example('incident-responder.lua'),
  'agents/db-expert.ts': example('db-expert.ts'),
  'tools/create-jira-ticket.lua': example('create-jira-ticket.lua'),
  'runbooks/payments.md': RUNBOOK,
};
const ARGUMENTS = [
  { name: 'service', description: 'The service experiencing the incident', required: false },
  { name: 'severity', description: 'Incident severity (P1, P2, P3)', required: false },
];
const P1 = { service: 'payments-api', severity: 'P1' };

describe('the incident responder of §3.2 and the database expert of §3.3', () => {
  it('are discovered and resolved over HTTP', async () => {
    await using hub = await startHub(FILES, { trustAll: true });
    const { body } = await hub.request('GET', '/agents/list');
    expect(body.agents).toEqual(
      expect.arrayContaining([
        {
          name: 'incident-responder',
          title: 'incident-responder',
          description: 'Helps triage production incidents with relevant runbooks',
          tools: ['search', 'get', 'create_jira_ticket'],
          source: 'lua',
          arguments: ARGUMENTS,
        },
        {
          name: 'db-expert',
          title: 'db-expert',
          description: 'Answers database design and query optimization questions',
          // There is no tool run_query here.
          tools: ['search', 'get'],
          source: 'typescript',
          arguments: [{ name: 'database', description: 'Target database name', required: false }],
        },
      ]),
    );
    await hub.request('POST', '/api/knowledge/sync', {});
    const answer = await hub.request('POST', '/agents/incident-responder/prompt', { arguments: P1 });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        result: {
          system: expect.stringMatching(
            /^You are an incident responder for the payments-api service \(P1 severity\)\.[^]*\n---\n## Payments down\n# Payments down\n\nThe payments-api incident runbook: restart it/,
          ),
          tools: ['search', 'get', 'create_jira_ticket'],
          messages: [
            {
              role: 'assistant',
              content:
                "I'm ready to help with the P1 payments-api incident. I've loaded 1 relevant runbooks. What's the current situation?",
            },
          ],
          receipt: {
            searches: 1,
            fetches: 1,
            parts: [
              { kind: 'persona' },
              {
                kind: 'context',
                title: 'Payments down',
                score: expect.any(Number),
                updatedAt: expect.any(String),
                tokens: expect.any(Number),
              },
              { kind: 'message' },
            ],
          },
          trace: { calls: { 'context.search': { count: 1 } } },
        },
      },
    });
    const { prompts } = (await hub.request('GET', '/prompts/list')).body;
    expect(prompts).toContainEqual(
      expect.objectContaining({ name: 'incident-responder', arguments: ARGUMENTS }),
    );
    const got = await hub.request('POST', '/prompts/get', { name: 'incident-responder', arguments: P1 });
    expect(got).toMatchObject({
      status: 200,
      body: { messages: [{ content: { text: answer.body.result.system } }, { role: 'assistant' }] },
    });
    const expert = await hub.request('POST', '/agents/db-expert/prompt', {
      arguments: { database: 'orders' },
    });
    expect(expert.body.result).toMatchObject({
      system: expect.stringMatching(
        /^You are a database expert for the 'orders' database\.\nRelevant schema docs:\n/,
      ),
      messages: [],
      receipt: { searches: 1, fetches: 0 },
    });
  });

  it.each(WAYS)('are prompts over MCP ($transport, $era)', async (way) => {
    await using opened = await stage(way, FILES, { trustAll: true });
    const { prompts } = await opened.client.listPrompts();
    expect(prompts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          name: 'incident-responder',
          description: 'Helps triage production incidents with relevant runbooks',
          arguments: ARGUMENTS,
        }),
        expect.objectContaining({ name: 'db-expert' }),
      ]),
    );
    const prompt = await opened.client.getPrompt({ name: 'incident-responder', arguments: P1 });
    expect(prompt).toMatchObject({
      description: 'Helps triage production incidents with relevant runbooks',
      messages: [
        {
          role: 'user',
          content: { type: 'text', text: expect.stringContaining('payments-api service (P1 severity)') },
        },
        { role: 'assistant', content: { type: 'text', text: expect.stringMatching(/^I'm ready to help/) } },
      ],
    });
    const expert = await opened.client.getPrompt({ name: 'db-expert' });
    expect(expert.messages[0]?.content).toMatchObject({
      text: expect.stringContaining("for the 'main' database"),
    });
  });

  it('are listed and tested by the built command, in the form of §9.1 and §9.2', async () => {
    await using home = await tempHome(FILES);
    await home.zoo(['trust', '--yes']);
    await home.zoo(['sync']);
    const listed = await home.program(['agent', 'list']);
    expect(listed.out).toMatch(
      / {2}incident-responder +Helps triage production incidents with relevant runbooks +\(tools: search, get, create_jira_ticket\) {2}\[lua\]/,
    );
    const args = ['--arg', 'service=payments-api', '--arg', 'severity=P1'];
    const tested = await home.program(['agent', 'test', 'incident-responder', ...args]);
    expect(tested).toMatchObject({ code: 0, err: '' });
    expect(tested.out).toMatch(
      /^\nAgent: incident-responder\nSource: lua \(agents\/incident-responder\.lua\)\nTools: search, get, create_jira_ticket\n\nSystem prompt \(\d+ chars\):\n {2}You are an incident responder for the payments-api service \(P1 severity\)\.\n/,
    );
    expect(tested.out).toMatch(
      /\n\nMessages \(1\):\n {2}\[assistant\] I'm ready to help with the P1 payments-api incident\./,
    );
    expect(tested.out).toMatch(/\n\nResolved in \d+ms \(1 search query, 1 document fetch\)\n$/);
    expect((await home.program(['agent', 'test', 'db-expert'])).out).toContain(
      'Source: typescript (agents/db-expert.ts)\n',
    );
  });
});

/** A stand-in for Jira: remembers what it was sent. */
async function startJira() {
  const asked: { path: string; authorization: string; body: unknown }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      asked.push({ path, authorization: headers.authorization ?? '', body: JSON.parse(text) });
      const broken = text.includes('broken');
      response.writeHead(broken ? 500 : 201, { 'content-type': 'application/json' });
      response.end(broken ? `{"why":"${headers.authorization}"}` : `{"key":"OPS-${asked.length}"}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

const TOKEN = 'jira-secret-0123456789';

describe('create_jira_ticket and the complete config of §14', () => {
  const files = (url: string) => ({
    'ctx.toml': example('ctx.toml').replace('https://acme.atlassian.net', url),
    'agents/incident-responder.lua': example('incident-responder.lua'),
    'tools/create-jira-ticket.lua': example('create-jira-ticket.lua'),
  });
  const options = { trustAll: true, env: { JIRA_API_TOKEN: TOKEN } };

  it('work as printed: the tool is called with its secret, which is never shown', async () => {
    await using jira = await startJira();
    await using hub = await startHub(files(jira.url), options);
    const listed = await hub.request('GET', '/tools/list?agent=incident-responder');
    expect(listed.body.tools.map(({ name }: { name: string }) => name)).toContain('create_jira_ticket');

    const made = await hub.request('POST', '/tools/create_jira_ticket?agent=incident-responder', {
      summary: 'Payments are down',
    });
    expect(made).toMatchObject({
      status: 200,
      body: { result: { key: 'OPS-1', url: `${jira.url}/browse/OPS-1` } },
    });
    expect(jira.asked).toEqual([
      {
        path: '/rest/api/3/issue',
        authorization: `Bearer ${TOKEN}`,
        body: { fields: { summary: 'Payments are down', priority: { name: 'P2' }, labels: [] } },
      },
    ]);

    const failed = await hub.request('POST', '/tools/create_jira_ticket', { summary: 'broken' });
    expect(failed).toMatchObject({ status: 500, body: { error: { code: 'tool_error' } } });
    expect(failed.body.error.message).toMatch(/create-jira-ticket\.lua:\d+: Jira said 500/);
    expect(JSON.stringify([made.body, failed.body, listed.body])).not.toContain(TOKEN);

    const refused = await hub.request('POST', '/tools/create_jira_ticket', { priority: 'P9' });
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'bad_request' } } });
    expect(refused.body.error.message).toContain('summary is missing');
    expect(jira.asked).toHaveLength(2);
  });

  it.each(WAYS)('is a tool over MCP, checked before it runs ($transport, $era)', async (way) => {
    await using jira = await startJira();
    await using opened = await stage(way, files(jira.url), options);
    const { tools } = await opened.client.listTools();
    expect(tools.find(({ name }) => name === 'create_jira_ticket')).toMatchObject({
      description: 'Creates a ticket that tracks an incident',
      inputSchema: {
        type: 'object',
        required: ['summary'],
        properties: {
          summary: { type: 'string', description: 'What is wrong, in one line' },
          priority: { type: 'string', enum: ['P1', 'P2', 'P3'], default: 'P2' },
          labels: { type: 'array', items: { type: 'string' } },
        },
      },
    });
    const made = await call(opened.client, 'create_jira_ticket', { summary: 'Down', labels: ['a'] });
    expect(made).toMatchObject({ isError: false, structured: { key: 'OPS-1' } });
    const wrong = await call(opened.client, 'create_jira_ticket', { summary: 1 });
    expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('INVALID_ARGUMENTS') });
    expect(jira.asked).toHaveLength(1);
  });
});
