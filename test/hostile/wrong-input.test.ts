import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { startTarget } from '../fuzz/fuzz-target.ts';
import { openSocketClient } from '../fuzz/socket-client.ts';
import { type RunningHub, startHub } from '../start-hub.ts';

/** fetch refuses to forge these headers; a hostile page's browser is told to by its DNS. */
function raw(hub: RunningHub, headers: Record<string, string>, path = '/api/agents', method = 'GET') {
  const { port } = new URL(hub.url);
  return new Promise<{ status: number; body: string; headers: NodeJS.Dict<string | string[]> }>(
    (resolve, reject) => {
      const request = httpRequest({ host: '127.0.0.1', port, path, method, headers }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk) => (body += chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body, headers: response.headers }),
        );
      });
      request.on('error', reject).end();
    },
  );
}

describe('wrong input gets the documented error and affects nothing else', () => {
  it('whatever it is', async () => {
    await using hub = await startHub({
      'zoo.toml': '[agents.a]\nsystem_prompt = "toml"\n[agents.b]\ntools = 5\n[agentz.c]\nx = 1\n',
      'agents/a.md': '---\nname: a\ndescription: twice\n---\nmarkdown\n',
    });
    const big = JSON.stringify({ name: 'big', systemPrompt: 'x'.repeat(10_000_000) });
    const cases: [string, string, unknown, Record<string, string>, number, string][] = [
      ['POST', '/api/agents', '{"name": ', {}, 400, 'bad_request'],
      ['POST', '/api/agents', '[]', {}, 400, 'bad_request'],
      ['POST', '/api/agents', 'null', {}, 400, 'bad_request'],
      ['POST', '/api/agents', { name: 5 }, {}, 400, 'bad_request'],
      ['POST', '/api/agents', { name: '' }, {}, 400, 'bad_request'],
      ['POST', '/api/agents', { name: 'x', nmae: 'y' }, {}, 400, 'bad_request'],
      ['POST', '/api/agents', { name: 'x', id: 'current' }, {}, 400, 'bad_request'],
      ['POST', '/api/agents', { name: 'x', id: '../etc' }, {}, 400, 'bad_request'],
      ['POST', '/api/agents', { name: 'x', mode: 'chatty' }, {}, 400, 'bad_request'],
      ['POST', '/api/agents', big, {}, 413, 'too_large'],
      ['PATCH', '/api/agents/nobody', { name: 'x' }, {}, 404, 'not_found'],
      ['PATCH', '/api/agents/guide', { name: 'x', revision: 99 }, {}, 409, 'conflict'],
      ['PATCH', '/api/agents/guide', { name: 'x' }, { 'if-match': '"99"' }, 409, 'conflict'],
      ['PATCH', '/api/agents/guide', { name: 'x' }, { 'if-match': 'tuesday' }, 400, 'bad_request'],
      ['PATCH', '/api/agents/a', { name: 'x' }, {}, 409, 'read_only'],
      ['POST', '/api/agents', { name: 'x', id: 'guide' }, {}, 409, 'already_exists'],
      ['GET', '/api/agents/%2e%2e%2fetc', undefined, {}, 404, 'not_found'],
      ['GET', '/api/agents/guide/history/0', undefined, {}, 400, 'bad_request'],
      ['GET', '/api/agents/guide/history/7', undefined, {}, 404, 'not_found'],
      ['GET', '/nowhere', undefined, {}, 404, 'not_found'],
      ['GET', '/api/agents', undefined, { authorization: '' }, 401, 'unauthorized'],
      ['GET', '/api/agents', undefined, { authorization: 'Bearer zoo_wrong' }, 401, 'unauthorized'],
      ['GET', '/api/agents', undefined, { origin: 'https://evil.example' }, 403, 'forbidden'],
      ['POST', '/tools/agent_zoo_inject', { agentId: 'nobody' }, {}, 404, 'not_found'],
      ['POST', '/tools/agent_zoo_inject', { agentId: 'guide', format: 'xml' }, {}, 400, 'bad_request'],
      ['POST', '/tools/agent_zoo_inject', {}, {}, 400, 'bad_request'],
      ['POST', '/tools/nothing', {}, {}, 404, 'not_found'],
    ];
    for (const [method, path, body, headers, status, code] of cases) {
      const answer = await hub.request(method, path, body, headers);
      const what = `${method} ${path} ${JSON.stringify(body)?.slice(0, 80)}`;
      expect([what, answer.status, answer.body.error?.code]).toEqual([what, status, code]);
      expect(answer.body.error.message).not.toMatch(/\n\s+at /);
    }
    expect((await hub.request('GET', '/api/agents/guide')).body).toMatchObject({
      name: 'Guide',
      revision: 1,
    });
    expect((await hub.request('POST', '/agents/a/prompt')).body.result.system).toBe('toml');
    const { diagnostics } = (await hub.request('GET', '/api/diagnostics')).body;
    const found = diagnostics.map(({ code, line }: { code: string; line: number }) => `${code} ${line}`);
    expect(found).toEqual(expect.arrayContaining(['invalid-value 4', 'unknown-key 5', 'duplicate-id 1']));
  });

  it('from elsewhere: another Host, a page of another origin', async () => {
    await using hub = await startHub();
    const authorization = `Bearer ${hub.token}`;
    const { port } = new URL(hub.url);
    const good = await raw(hub, { authorization, host: `localhost:${port}` });
    expect(good.status).toBe(200);
    expect(good.headers['access-control-allow-origin']).toBeUndefined();
    for (const headers of [
      { authorization, host: 'evil.example' },
      { authorization, host: `localhost.evil.example:${port}` },
      { authorization, host: `127.0.0.1:${port}`, origin: 'http://localhost:1' },
      { authorization, host: `127.0.0.1:${port}`, origin: 'null' },
    ]) {
      expect([headers.host, (await raw(hub, headers)).status]).toEqual([headers.host, 403]);
    }
    const preflight = await raw(
      hub,
      { origin: 'https://evil.example', host: `127.0.0.1:${port}` },
      '/api/agents',
      'OPTIONS',
    );
    expect(preflight.status).toBe(403);
    expect((await raw(hub, { host: 'evil.example' }, '/health')).status).toBe(403);
  });
});

it.each([
  ['{"jsonrpc":"2.0","id":"x","method":"resources/read","params":{}}', -32_602, 'uri is missing'],
  ['{"jsonrpc":"2.0","id":"x","method":"logging/setLevel","params":{}}', -32_602, 'level is missing'],
  [
    '{"jsonrpc":"2.0","id":"x","method":"prompts/get","params":{"name":"helper","arguments":1}}',
    -32_602,
    'arguments must be',
  ],
  ['{"jsonrpc":"2.0","id":"x","method":"ping","extra":1}', -32_600, 'Unknown key "extra"'],
  ['{"jsonrpc":"2.0","id":"x","method":"ping","params":{"_meta":[]}}', -32_600, '_meta must be an object'],
  ['{"jsonrpc":"2.0","id":"x","method":"ping","params":3}', -32_600, 'params must be an object'],
  ['[{"jsonrpc":"2.0","id":"x","method":"ping"}]', -32_600, 'Batches'],
])('the socket of the built program answers %s', async (line, code, words) => {
  await using target = await startTarget();
  const client = await openSocketClient(target);
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  };
  await client.send(JSON.stringify({ jsonrpc: '2.0', id: 'i', method: 'initialize', params }), 'i');
  const answer = JSON.parse((await client.send(line, 'x')) ?? '');
  client.close();
  expect(answer.error.code).toBe(code);
  expect(answer.error.message).toContain(words);
});

describe('a token that is bound to an agent', () => {
  it('opens its agent and the tools in its scope, and nothing else', async () => {
    await using hub = await startHub();
    const { token } = (await hub.request('POST', '/api/tokens', { agentId: 'guide' })).body;
    const { token: narrow } = await (async () => {
      await hub.request('POST', '/api/agents', { name: 'Narrow', tools: ['agent_zoo_list_agents'] });
      return (await hub.request('POST', '/api/tokens', { agentId: 'narrow' })).body;
    })();
    const as = (bearer: string) => ({ authorization: `Bearer ${bearer}` });
    expect((await hub.request('POST', '/agents/guide/prompt', {}, as(token))).status).toBe(200);
    expect((await hub.request('POST', '/agents/narrow/prompt', {}, as(token))).status).toBe(403);
    const listed = await hub.request('GET', '/tools/list', undefined, as(narrow));
    expect(listed.body.tools.map(({ name }: { name: string }) => name)).toEqual(['agent_zoo_list_agents']);
    expect((await hub.request('GET', '/tools/list?agent=guide', undefined, as(narrow))).status).toBe(403);
    expect((await hub.request('POST', '/tools/agent_zoo_list_agents', {}, as(narrow))).status).toBe(200);
    const refused = await hub.request('POST', '/tools/agent_zoo_inject', { agentId: 'guide' }, as(narrow));
    expect(refused).toMatchObject({
      status: 403,
      body: { error: { code: 'forbidden', details: { inScope: ['agent_zoo_list_agents'] } } },
    });
    for (const [method, path] of [
      ['GET', '/api/agents'],
      ['GET', '/agents/list'],
      ['GET', '/api/agents/narrow'],
      ['GET', '/api/events'],
      ['GET', '/openapi.json'],
      ['POST', '/api/stop'],
      ['POST', '/api/tokens'],
      ['GET', '/api/agents?workspace=other-12345678'],
    ] as const) {
      expect([path, (await hub.request(method, path, undefined, as(narrow))).status]).toEqual([path, 403]);
    }
    const { tokens } = (await hub.request('GET', '/api/tokens')).body;
    expect(tokens).toHaveLength(2);
    expect(JSON.stringify(tokens)).not.toContain(narrow);
    await hub.request('DELETE', `/api/tokens/${tokens[1].id}`);
    expect((await hub.request('GET', '/tools/list', undefined, as(narrow))).status).toBe(401);
  });
});
