import { describe, expect, it } from 'vitest';
import type { CallContext } from '../../contract/call.ts';
import { ERROR_CODES, ZooError } from '../../contract/errors.ts';
import { serveSurface } from '../../../test/serve-surface.ts';
import { ERROR_FORMS } from './error-reply.ts';

const json = { 'content-type': 'application/json' };

/** Responds with the context of each call. */
async function serveRecording(options: { auth?: boolean } = {}) {
  const contexts: CallContext[] = [];
  const surface = await serveSurface({
    ...options,
    operations: (hub) => ({
      getCurrent: async (_input, context) => {
        contexts.push(context);
        return { agentId: null };
      },
      listTools: (input, context) => {
        contexts.push(context);
        return hub.operations.listTools(input, context);
      },
    }),
  });
  return { surface, contexts };
}

describe('answers', () => {
  it('have security headers for browsers, and no CORS headers', async () => {
    await using surface = await serveSurface();
    for (const path of ['/health', '/api/agents', '/nowhere', '/', '/openapi.json']) {
      const { headers } = await surface.fetch(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('follow the table: status, envelope, revision as ETag, or no content', async () => {
    await using surface = await serveSurface();
    const created = await surface.fetch('/api/agents', {
      method: 'POST',
      headers: json,
      body: '{"name": "New One"}',
    });
    expect([created.status, created.headers.get('etag')]).toEqual([201, '"1"']);
    expect(await created.json()).toMatchObject({ id: 'new-one', name: 'New One', revision: 1 });
    const resolved = await surface.fetch('/agents/guide/prompt', { method: 'POST' });
    expect(await resolved.json()).toEqual({
      result: expect.objectContaining({ system: expect.any(String) }),
    });
    const deleted = await surface.fetch('/api/agents/new-one', {
      method: 'DELETE',
      headers: { 'if-match': 'W/"1"' },
    });
    expect([deleted.status, await deleted.text(), deleted.headers.get('content-type')]).toEqual([
      204,
      '',
      null,
    ]);
  });

  it('to HEAD equal those to GET, without the body', async () => {
    await using surface = await serveSurface();
    for (const path of ['/health', '/api/agents/guide', '/api/events']) {
      const head = await surface.fetch(path, { method: 'HEAD' });
      expect([path, head.status, await head.text()]).toEqual([path, 200, '']);
    }
    expect((await surface.fetch('/api/agents/nobody', { method: 'HEAD' })).status).toBe(404);
  });

  it.each(['5', '"5"', 'W/"5"'])('If-Match: %s names a revision', async (header) => {
    await using surface = await serveSurface();
    const response = await surface.fetch('/api/agents/guide', {
      method: 'PATCH',
      headers: { ...json, 'if-match': header },
      body: '{"name": "x"}',
    });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ error: { code: 'conflict' } });
  });

  it.each(['*', '1'])('If-Match: %s allows a change', async (header) => {
    await using surface = await serveSurface();
    const init = { method: 'PATCH', headers: { ...json, 'if-match': header }, body: '{"name": "x"}' };
    expect((await surface.fetch('/api/agents/guide', init)).status).toBe(200);
  });

  it.each(['', 'five', '"5', '5"', '"4", "5"', '-1', '5.0'])('If-Match: %j is refused', async (header) => {
    await using surface = await serveSurface();
    const init = { method: 'PATCH', headers: { ...json, 'if-match': header }, body: '{"name": "x"}' };
    expect((await surface.fetch('/api/agents/guide', init)).status).toBe(400);
  });
});

describe('an unknown route', () => {
  it('is a 404 that suggests the nearest one', async () => {
    await using surface = await serveSurface();
    const near = await surface.fetch('/api/agent/guide');
    expect([near.status, await near.json()]).toEqual([
      404,
      {
        error: {
          code: 'not_found',
          message: 'No route for /api/agent/guide. Did you mean /api/agents/guide?',
          details: { reason: 'route_not_found' },
        },
      },
    ]);
    expect(await (await surface.fetch('/api/agents/')).text()).toContain('Did you mean /api/agents?');
    expect(await (await surface.fetch('/wp-admin/setup-config.php')).text()).toContain('/openapi.json lists');
  });

  it('is a 405 with the allowed methods if only the method is wrong', async () => {
    await using surface = await serveSurface();
    const response = await surface.fetch('/api/agents/guide', { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT, PATCH, DELETE']);
    expect(await response.json()).toMatchObject({
      error: { code: 'not_found', details: { reason: 'route_not_found' } },
    });
  });
});

describe('failures', () => {
  it.each(ERROR_CODES.filter((code) => code !== 'internal'))(
    '%s has the status in the table',
    async (code) => {
      await using surface = await serveSurface({
        operations: () => ({ getCurrent: () => Promise.reject(new ZooError(code, 'because', { id: 'x' })) }),
      });
      const response = await surface.fetch('/api/current');
      const form: { status: number; code: string } = ERROR_FORMS[code];
      const details = form.code === code ? { id: 'x' } : { id: 'x', reason: code };
      expect([response.status, await response.json()]).toEqual([
        form.status,
        { error: { code: form.code, message: 'because', details } },
      ]);
      expect(surface.logged).toEqual([]);
    },
  );

  it('that are bugs are logged once with their stack, and answered without it', async () => {
    const bug = new TypeError('secret is undefined');
    await using surface = await serveSurface({
      operations: () => ({ getCurrent: () => Promise.reject(bug) }),
    });
    const response = await surface.fetch('/api/current');
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(JSON.parse(text).error.code).toBe('internal');
    expect(text).not.toContain('secret');
    expect(surface.logged).toEqual([
      { err: bug, operation: 'getCurrent', method: 'GET', path: '/api/current' },
    ]);
  });
});

describe('callers', () => {
  it('without a valid token get an error that says what to do', async () => {
    await using surface = await serveSurface();
    for (const authorization of [
      '',
      'Bearer',
      'Bearer zoo_wrong',
      `Basic ${surface.token}`,
      `Bearer ${surface.token}x`,
    ]) {
      for (const path of ['/api/agents', '/nowhere', '/openapi.json']) {
        const response = await surface.fetch(path, { headers: { authorization } });
        expect([authorization, path, response.status]).toEqual([authorization, path, 401]);
        expect(response.headers.get('www-authenticate')).toBe('Bearer realm="agent-zoo"');
        expect(await response.text()).toContain('zoo token');
      }
    }
    expect((await fetch(`${surface.url}/health`)).status).toBe(200);
  });

  it('of the page exchange the code of a link for a token, once', async () => {
    const { surface, contexts } = await serveRecording();
    await using _ = surface;
    const { path } = JSON.parse(await (await surface.fetch('/api/logins', { method: 'POST' })).text());
    const code = new URL(path, surface.url).hash.replace('#login=', '');
    const exchange = (body: object, headers: Record<string, string> = {}) =>
      fetch(`${surface.url}/api/logins/exchange`, {
        method: 'POST',
        headers: { ...json, ...headers },
        body: JSON.stringify(body),
      });
    const foreign = await exchange({ code }, { origin: 'http://127.0.0.1:3000' });
    expect(foreign.status).toBe(403);
    const exchanged = await exchange({ code }, { origin: surface.url });
    expect([exchanged.status, exchanged.headers.get('set-cookie')]).toEqual([200, null]);
    const { token } = JSON.parse(await exchanged.text());
    expect((await exchange({ code })).status).toBe(401);
    expect((await exchange({ code: 'guess' })).status).toBe(401);
    expect((await exchange({})).status).toBe(400);

    const asPage = (init: RequestInit = {}) => fetch(`${surface.url}/api/current`, init);
    expect((await asPage({ headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
    expect(contexts.at(-1)).toMatchObject({ caller: { kind: 'operator' }, surface: 'web' });
    expect((await asPage({ headers: { authorization: `Bearer ${token}x` } })).status).toBe(401);
    // Neither of these could be bound to one port of the host.
    expect((await asPage({ headers: { cookie: `zoo_session=${token}` } })).status).toBe(401);
    expect((await fetch(`${surface.url}/api/current?token=${token}`)).status).toBe(401);
  });

  it('with a token may name a workspace and an agent', async () => {
    const { surface, contexts } = await serveRecording();
    await using _ = surface;
    await surface.fetch('/api/current');
    const base = contexts.at(-1);
    expect(base).toMatchObject({
      caller: { kind: 'operator' },
      surface: 'http',
      agent: null,
      depth: 0,
      budget: {},
    });
    expect({ ...base }.signal).toBeInstanceOf(AbortSignal);
    await surface.fetch(`/api/current?workspace=${base?.workspace}`);
    expect(contexts.at(-1)?.workspace).toBe(base?.workspace);
    expect((await surface.fetch('/api/current?workspace=nobody-00000000')).status).toBe(404);
    await surface.fetch('/tools/list?agent=guide');
    expect(contexts.at(-1)?.agent).toBe('guide');
    expect((await surface.fetch('/api/current?limit=5')).status).toBe(400);
  });

  it('with the token of an agent act as that agent, in its workspace', async () => {
    const { surface, contexts } = await serveRecording();
    await using _ = surface;
    const made = await surface.fetch('/api/tokens', {
      method: 'POST',
      headers: json,
      body: '{"agentId": "guide"}',
    });
    const { token, workspace } = JSON.parse(await made.text());
    const headers = { authorization: `Bearer ${token}` };
    const statusOf = async (path: string) => (await surface.fetch(path, { headers })).status;
    expect(await statusOf('/tools/list')).toBe(200);
    expect(contexts.at(-1)).toMatchObject({
      caller: { kind: 'agent', agentId: 'guide' },
      agent: 'guide',
      workspace,
    });
    expect(await statusOf(`/tools/list?agent=guide&workspace=${workspace}`)).toBe(200);
    expect(await statusOf('/tools/list?agent=other')).toBe(403);
    expect(await statusOf('/tools/list?workspace=%2Ftmp')).toBe(403);
    expect(await statusOf('/api/current')).toBe(403);
    expect(await statusOf('/api/agents/guide')).toBe(403);
  });

  it('need no token if the hub requires none, but pages of other origins are refused', async () => {
    await using surface = await serveSurface({ auth: false });
    const statusOf = async (headers: Record<string, string>, method = 'GET') =>
      (await fetch(`${surface.url}/api/${method === 'GET' ? 'agents' : 'logins'}`, { method, headers }))
        .status;
    expect(await statusOf({})).toBe(200);
    expect(await statusOf({}, 'POST')).toBe(201);
    expect(await statusOf({ origin: 'https://evil.example' }, 'POST')).toBe(403);
    expect(await statusOf({ origin: 'null' }, 'POST')).toBe(403);
  });
});

it('the page says how to build the web app where it is not built, without a token', async () => {
  await using surface = await serveSurface();
  const response = await fetch(surface.url, { headers: { accept: 'text/html' } });
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8']);
  expect(await response.text()).toBe('The web app is not built. Run: npm run build\n');
});
