import { describe, expect, it } from 'vitest';
import { startHub } from './start-hub.ts';

const seedConfig = `
[db]
path = "./data/ctx.sqlite"

[chunking]
max_tokens = 700

[agents.code-reviewer]
description = "Reviews code against project conventions"
tools = ["search", "get"]
system_prompt = """
You are a senior code reviewer. Use search to find coding
conventions, then review the user's code against them.
"""

[agents.responder]
description = "Triages"
tools = ["search"]
system_prompt = "You respond for {{service}}."
arguments = [{ name = "service", description = "The service", required = true }]
`;

describe('seed 002 §7, as printed', () => {
  it('lists the agents', async () => {
    await using hub = await startHub({ 'ctx.toml': seedConfig });
    const { status, body } = await hub.request('GET', '/agents/list');
    expect(status).toBe(200);
    expect(body.agents).toContainEqual({
      name: 'code-reviewer',
      title: 'code-reviewer',
      description: 'Reviews code against project conventions',
      tools: ['search', 'get'],
      source: 'toml',
      arguments: [],
    });
    expect(body.agents.map(({ name }: { name: string }) => name)).toEqual([
      'code-reviewer',
      'guide',
      'responder',
    ]);
  });

  it('lists the tools of an agent, and nothing else (§10.2)', async () => {
    await using hub = await startHub({ 'ctx.toml': seedConfig });
    const { status, body } = await hub.request('GET', '/tools/list?agent=code-reviewer');
    expect(status).toBe(200);
    expect(body.tools.map(({ name }: { name: string }) => name).toSorted()).toEqual(['get', 'search']);
  });

  it('resolves a prompt', async () => {
    await using hub = await startHub({ 'ctx.toml': seedConfig });
    const { status, body } = await hub.request('POST', '/agents/responder/prompt', {
      arguments: { service: 'payments-api' },
    });
    expect(status).toBe(200);
    expect(body.result).toMatchObject({
      system: 'You respond for payments-api.',
      tools: ['search'],
      messages: [],
      receipt: { parts: [{ kind: 'persona', tokens: expect.any(Number) }], totalTokens: 6 },
    });
  });

  it.each([
    [404, 'not_found', '/agents/nobody/prompt', { arguments: {} }, /'nobody' not found/],
    [404, 'not_found', '/agents/code-reviewr/prompt', {}, /Did you mean 'code-reviewer'/],
    [400, 'bad_request', '/agents/responder/prompt', { arguments: {} }, /arguments\.service/],
    [400, 'bad_request', '/agents/responder/prompt', { arguments: [] }, /arguments/],
    [400, 'bad_request', '/agents/responder/prompt', '{"arguments": ', /JSON/],
  ])('answers %s %s for %s', async (status, code, path, body, message) => {
    await using hub = await startHub({ 'ctx.toml': seedConfig });
    const answer = await hub.request('POST', path, body);
    expect(answer).toMatchObject({
      status,
      body: { error: { code, message: expect.stringMatching(message) } },
    });
    expect((await hub.request('GET', '/health')).body.status).toBe('ok');
  });
});

describe('agents over REST', () => {
  it('are created, read, replaced, patched, deleted, undeleted and cloned', async () => {
    await using hub = await startHub({}, { threads: true });
    const created = await hub.request('POST', '/api/agents', { name: 'Code Wizard', systemPrompt: 'Hi' });
    expect(created).toMatchObject({
      status: 201,
      body: { id: 'code-wizard', revision: 1, source: 'editor' },
    });
    expect(created.headers.get('etag')).toBe('"1"');

    const patched = await hub.request('PATCH', '/api/agents/code-wizard', {
      description: 'Codes',
      revision: 1,
    });
    expect(patched).toMatchObject({
      status: 200,
      body: { revision: 2, systemPrompt: 'Hi', description: 'Codes' },
    });

    const stale = await hub.request('PATCH', '/api/agents/code-wizard', { name: 'X' }, { 'if-match': '"1"' });
    expect(stale).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    expect(stale.body.error.message).toMatch(/revision 2.*revision 1/);

    const put = await hub.request('PUT', '/api/agents/code-wizard', { name: 'Wizard' });
    expect(put).toMatchObject({
      status: 200,
      body: { id: 'code-wizard', name: 'Wizard', description: '', revision: 3 },
    });

    const history = await hub.request('GET', '/api/agents/code-wizard/history');
    expect(history.body.revisions.map((each: { revision: number }) => each.revision)).toEqual([3, 2, 1]);
    expect(history.body.revisions[1]).toMatchObject({ changes: ['description'], surface: 'http' });
    const diff = await hub.request('GET', '/api/agents/code-wizard/diff?from=1&to=2');
    expect(diff.body).toEqual({
      from: 1,
      to: 2,
      changes: [{ path: 'description', before: '', after: 'Codes' }],
    });
    expect((await hub.request('GET', '/api/agents/code-wizard/history/2')).body.description).toBe('Codes');

    const restored = await hub.request('POST', '/api/agents/code-wizard/restore', { revision: 2 });
    expect(restored.body).toMatchObject({ revision: 4, name: 'Code Wizard', description: 'Codes' });

    expect(await hub.request('DELETE', '/api/agents/code-wizard')).toMatchObject({ status: 204, body: '' });
    expect((await hub.request('GET', '/api/agents/code-wizard')).status).toBe(404);
    expect((await hub.request('GET', '/api/agents?deleted=true')).body.agents).toMatchObject([
      { id: 'code-wizard' },
    ]);
    expect((await hub.request('POST', '/api/agents', { name: 'x', id: 'code-wizard' })).status).toBe(409);
    expect((await hub.request('POST', '/api/agents/code-wizard/undelete')).body.revision).toBe(6);

    const clone = await hub.request('POST', '/api/agents/code-wizard/clone');
    expect(clone).toMatchObject({
      status: 201,
      body: { id: 'code-wizard-copy', name: 'Code Wizard', revision: 1 },
    });
  });

  it('are written once under an idempotency key', async () => {
    await using hub = await startHub({}, { threads: true });
    const once = (body: object, key: string) =>
      hub.request('POST', '/api/agents', body, { 'idempotency-key': key });
    const [first, second] = [await once({ name: 'Twin' }, 'a'), await once({ name: 'Twin' }, 'a')];
    expect(second).toMatchObject({ status: 201, body: first.body });
    expect((await once({ name: 'Twin' }, 'b')).body.id).toBe('twin-2');
    // A key names one write: elsewhere it is another's.
    const remove = () =>
      hub.request('DELETE', '/api/agents/twin', undefined, { 'idempotency-key': 'a', 'if-match': '1' });
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 204]);
    expect((await hub.request('GET', '/api/agents/twin')).status).toBe(404);
    expect((await once({ name: 'x' }, 'k'.repeat(201))).status).toBe(400);
    expect((await once({ name: 'Twin', id: 'guide' }, 'd')).status).toBe(409);
    expect((await once({ name: 'Twin', id: 'fresh' }, 'd')).status).toBe(201);
  });

  it('are searched and filtered', async () => {
    await using hub = await startHub({ 'zoo.toml': seedConfig });
    const ids = async (query: string) =>
      (await hub.request('GET', `/api/agents?${query}`)).body.agents.map(({ id }: { id: string }) => id);
    expect(await ids('q=review')).toEqual(['code-reviewer']);
    expect(await ids('source=editor')).toEqual(['guide']);
    expect(await ids('tool=get')).toEqual(['code-reviewer']);
    expect(await ids('mode=tools')).toEqual([]);
    expect(await ids('limit=1&offset=1')).toEqual(['guide']);
    const unknown = await hub.request('GET', '/api/agents?sourc=editor');
    expect(unknown).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('sourc') } },
    });
  });

  it('in a file are read-only, and say how to copy them into the editor', async () => {
    await using hub = await startHub({ 'zoo.toml': seedConfig });
    const answer = await hub.request('PATCH', '/api/agents/code-reviewer', { name: 'Mine' });
    expect(answer).toMatchObject({
      status: 409,
      body: {
        error: {
          code: 'read_only',
          details: { source: 'toml', copy: { path: '/api/agents/code-reviewer/clone' } },
        },
      },
    });
    const { copy } = answer.body.error.details;
    expect((await hub.request(copy.method, copy.path, copy.body)).status).toBe(201);
    expect((await hub.request('PATCH', '/api/agents/code-reviewer', { name: 'Mine' })).body.name).toBe(
      'Mine',
    );
    const listed = await hub.request('GET', '/api/agents?q=mine');
    expect(listed.body.agents[0]).toMatchObject({ source: 'editor', shadows: [{ source: 'toml' }] });
    const { diagnostics } = (await hub.request('GET', '/api/diagnostics')).body;
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ code: 'duplicate-id', agentId: 'code-reviewer', line: expect.any(Number) }),
    );
  });

  it('have skills, categories and published tools of their own', async () => {
    await using hub = await startHub({}, { threads: true });
    const path = '/api/agents/guide';
    const category = await hub.request('POST', `${path}/categories`, { name: 'Style' });
    expect(category).toMatchObject({ status: 201, body: { id: 'style' } });
    expect((await hub.request('GET', `${path}/categories/style`)).body).toEqual(category.body);
    const skill = await hub.request('POST', `${path}/skills`, {
      name: 'Short',
      description: 'x',
      categoryId: 'style',
    });
    expect(skill).toMatchObject({ status: 201, body: { id: 'short', enabled: true, categoryId: 'style' } });
    const off = await hub.request('PATCH', `${path}/skills/short`, { enabled: false });
    expect(off.body).toEqual({ ...skill.body, enabled: false });
    expect((await hub.request('PATCH', `${path}/skills/short`, { categoryId: 'none' })).status).toBe(404);
    expect((await hub.request('DELETE', `${path}/categories/style`)).status).toBe(204);
    expect((await hub.request('GET', `${path}/skills/short`)).body.categoryId).toBe('general');
    expect((await hub.request('DELETE', `${path}/categories/general`)).status).toBe(400);
    expect((await hub.request('DELETE', `${path}/skills/short`)).status).toBe(204);

    const tool = {
      name: 'book_flight',
      prompt: 'To {destination}',
      parameters: {
        type: 'object',
        properties: { destination: { type: 'string' } },
        required: ['destination'],
      },
    };
    expect(await hub.request('POST', `${path}/published-tools`, tool)).toMatchObject({
      status: 201,
      body: { ...tool, id: 'book-flight' },
    });
    expect((await hub.request('POST', `${path}/published-tools`, tool)).status).toBe(409);
    const wrong = await hub.request('PATCH', `${path}/published-tools/book-flight`, {
      parameters: { type: 'text' },
    });
    expect(wrong.status).toBe(400);
    expect((await hub.request('DELETE', `${path}/published-tools/book-flight`)).status).toBe(204);
  });

  it('have a brain with filters and pins that reach the prompt', async () => {
    await using hub = await startHub({}, { threads: true });
    const path = '/api/agents/guide/brain';
    const entry = await hub.request('POST', path, {
      type: 'decision',
      content: 'We use Hono.',
      tags: ['web', 'http'],
    });
    expect(entry).toMatchObject({ status: 201, body: { pinned: false, metadata: { source: 'http' } } });
    const forged = await hub.request('POST', path, {
      type: 'note',
      content: 'x',
      metadata: { source: 'mcp' },
    });
    expect(forged.status).toBe(400);
    const pin = await hub.request('PATCH', `${path}/${entry.body.id}/pin`, { pinned: true });
    expect(pin.body).toEqual({ ...entry.body, pinned: true });
    const today = new Date().toLocaleDateString('sv');
    const found = await hub.request(
      'GET',
      `${path}?type=decision&tags=http,none&dateFrom=${today}&dateTo=${today}&pinned=true`,
    );
    expect(found.body).toMatchObject({ total: 1, entries: [{ id: entry.body.id }] });
    expect((await hub.request('GET', `${path}?dateFrom=yesterday`)).status).toBe(400);
    const { result } = (await hub.request('POST', '/agents/guide/prompt', {})).body;
    expect(result.system).toMatch(/## Memory\n\n<(memory-\w+) [^>]*>\nWe use Hono\.\n<\/\1>$/);
    expect((await hub.request('DELETE', `${path}/${entry.body.id}`)).status).toBe(204);
    expect((await hub.request('GET', `${path}/${entry.body.id}`)).status).toBe(404);
  });

  it('can be current, and come from templates', async () => {
    await using hub = await startHub({}, { threads: true });
    expect((await hub.request('GET', '/api/current')).body).toEqual({ agentId: null });
    expect((await hub.request('PUT', '/api/current', { agentId: 'nobody' })).status).toBe(404);
    await hub.request('PUT', '/api/current', { agentId: 'guide' });
    expect((await hub.request('GET', '/api/current')).body).toEqual({ agentId: 'guide' });
    const { templates } = (await hub.request('GET', '/api/templates')).body;
    expect(templates.map(({ id }: { id: string }) => id)).toEqual([
      'code-reviewer',
      'architect',
      'onboarding',
      'incident-responder',
      'writer',
    ]);
    for (const { id } of templates) {
      expect(await hub.request('POST', `/api/templates/${id}`)).toMatchObject({ status: 201, body: { id } });
      expect((await hub.request('POST', `/agents/${id}/prompt`)).status).toBe(200);
    }
  });
});
