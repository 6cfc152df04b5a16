import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { say } from '../fake-model/script.ts';
import { openStream, stage } from './run-stage.ts';

it('runs a chat with unsaved changes, and with an older revision', async () => {
  await using at = await stage([say('As drafted.'), say('As before.')], '');
  const { hub, model } = at;
  await hub.request('POST', '/api/agents', {
    id: 'ada',
    name: 'Ada',
    systemPrompt: 'First.',
    tools: ['sources'],
  });
  await hub.request('PATCH', '/api/agents/ada', { systemPrompt: 'Second.' });

  const draft = await hub.request('POST', '/api/chats', {
    agent: 'ada',
    definition: { systemPrompt: 'Unsaved.' },
  });
  expect(draft.body).toMatchObject({
    isDraft: true,
    revision: null,
    definition: { systemPrompt: 'Unsaved.' },
  });
  const old = await hub.request('POST', '/api/chats', { agent: 'ada', revision: 1 });
  expect(old.body).toMatchObject({ isDraft: false, revision: 1, definition: null });
  for (const { body } of [draft, old]) {
    const sent = await hub.request('POST', `/api/chats/${body.id}/messages`, { message: 'Who are you?' });
    await hub.request('GET', `/api/runs/${sent.body.runId}/events`);
  }
  expect(model.requests.map(({ system }) => system)).toEqual(['Unsaved.', 'First.']);
  expect((await hub.request('GET', '/api/agents/ada')).body).toMatchObject({ systemPrompt: 'Second.' });
  const missing = await hub.request('POST', '/api/chats', { agent: 'ada', revision: 9 });
  expect(missing.status).toBe(404);
});

it('refuses a revision of an agent in a file, and a message of white space', async () => {
  await using at = await stage([], '[agents.ada]\nsystem_prompt = "Ada"\n');
  const start = async (body: object) => {
    const { status, body: answer } = await at.hub.request('POST', '/api/runs', { agent: 'ada', ...body });
    return [status, answer.error.message];
  };
  expect(await start({ prompt: 'Hi', revision: 1 })).toEqual([
    404,
    "Agent 'ada' has no revisions: it is defined in a file, not in the editor. Omit 'revision'.",
  ]);
  expect(await start({ prompt: ' \n ' })).toEqual([400, 'prompt must not be empty']);
  expect(await start({ prompt: [{ type: 'text', text: ' ' }] })).toEqual([400, 'prompt must not be empty']);
});

it('follows a chat from one of its turns on', async () => {
  await using at = await stage(
    [say('One.'), say('Two.')],
    '[agents.ada]\nsystem_prompt = "Ada"\ntools = ["sources"]\n',
  );
  const { hub } = at;
  const { body: chat } = await hub.request('POST', '/api/chats', { agent: 'ada' });
  for (const message of ['First', 'Second']) {
    const sent = await hub.request('POST', `/api/chats/${chat.id}/messages`, { message });
    await hub.request('GET', `/api/runs/${sent.body.runId}/events`);
  }
  const stop = new AbortController();
  const types: unknown[] = [];
  for await (const { event } of openStream(hub, `/api/chats/${chat.id}/events?turn=2`, stop.signal)) {
    types.push(event.type === 'turn-started' ? event.turn : event.type);
    if (event.type === 'done') break;
  }
  stop.abort();
  expect(types[0]).toBe(2);
  expect(types.filter((type) => type === 'done')).toHaveLength(1);
});

it('lists the models of providers that answer, and says why others cannot be used', async () => {
  await using listing = await serveModels();
  const providers = `[providers.lab]\nbase_url = "${listing.url}/lab/v1"\n\n[providers.lab.models.own]\ncontext_window = 1000\n\n[providers.shut]\nbase_url = "${listing.url}/shut/v1"\napi_key = "wrong"\n\n[providers.gone]\nbase_url = "http://127.0.0.1:9/v1"\n`;
  await using at = await stage([], providers);
  const { body } = await at.hub.request('GET', '/api/models');
  expect(body.models).toEqual(expect.arrayContaining(['lab/own', 'lab/large', 'lab/small']));
  expect(body.models.filter((name: string) => /^(shut|gone)/.test(name))).toEqual([]);
  expect(body.unavailable).toEqual(
    expect.arrayContaining([
      { provider: 'shut', problem: 'The key was refused (401).' },
      { provider: 'gone', problem: expect.any(String) },
    ]),
  );
});

it('tells what was spent today, and the limits', async () => {
  await using at = await stage(
    [say('Done.')],
    '[budget]\nhub_day = { tokens = 1000000 }\n\n[agents.ada]\nsystem_prompt = "Ada"\ntools = ["sources"]\n',
  );
  const { hub } = at;
  const run = await hub.request('POST', '/api/runs', { agent: 'ada', prompt: 'Hi' });
  await hub.request('GET', `/api/runs/${run.body.id}/events`);
  const { body } = await hub.request('GET', '/api/spending');
  expect(body).toMatchObject({ agents: [{ agentId: 'ada' }], limits: { hubDay: { tokens: 1_000_000 } } });
  expect(body.agents[0].tokens).toBeGreaterThan(0);
});

/** Answers `/lab/v1/models` with two models, and refuses the key of `/shut`. */
async function serveModels(): Promise<AsyncDisposable & { url: string }> {
  const server = createServer(({ url = '' }, response) => {
    response.writeHead(url.startsWith('/shut') ? 401 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data: [{ id: 'large' }, { id: 'small' }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
