import { brotliCompressSync } from 'node:zlib';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedSurface, serveSurface } from '../../../test/serve-surface.ts';
import { tempFolder } from '../../../test/temp-folder.ts';

const SCRIPT = `console.log(${JSON.stringify('x'.repeat(2000))});`;
const page = { accept: 'text/html,application/xhtml+xml' };

let folder: Awaited<ReturnType<typeof tempFolder>>;
let surface: ServedSurface;
beforeAll(async () => {
  folder = await tempFolder({
    'secret.txt': 'outside',
    'web/index.html': '<!doctype html><title>Built</title>',
    'web/favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'web/assets/index-BxY1_z9k.js': SCRIPT,
    'web/assets/index-BxY1_z9k.js.br': brotliCompressSync(SCRIPT),
  });
  surface = await serveSurface({
    web: `${folder.path}/web`,
    mounts: [
      {
        routes: [{ path: '/.well-known/agent-card.json', public: true }, { path: '/a2a/{agent}/*' }],
        handle: async ({ url }, { agent, caller }) =>
          Response.json({ path: new URL(url).pathname, agent, caller: caller.kind }),
      },
    ],
  });
});
afterAll(async () => {
  await surface[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(surface.url + path, { headers });

describe('files of a built page', () => {
  it('are served without a token, with their types and a strict policy', async () => {
    const home = await get('/', page);
    expect([home.status, home.headers.get('content-type')]).toEqual([200, 'text/html;charset=utf-8']);
    expect(await home.text()).toContain('Built');
    expect(home.headers.get('content-security-policy')).toMatch(/script-src 'self'.*frame-ancestors 'none'/);
    expect(home.headers.get('content-security-policy')).not.toContain('unsafe');
    expect(home.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await get('/favicon.svg')).headers.get('content-type')).toBe('image/svg+xml');
  });

  it('with a hash in their name are cached forever, others are revalidated', async () => {
    const script = await get('/assets/index-BxY1_z9k.js');
    expect(script.headers.get('content-type')).toMatch(/^text\/javascript/);
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const home = await get('/', page);
    expect(home.headers.get('cache-control')).toBe('no-cache');
    const again = await get('/', { ...page, 'if-none-match': home.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  });

  it('are sent compressed if a compressed version exists', async () => {
    const script = await get('/assets/index-BxY1_z9k.js', { 'accept-encoding': 'br' });
    expect(script.headers.get('content-encoding')).toBe('br');
    expect(await script.text()).toBe(SCRIPT);
  });

  it('are index.html for addresses of the page, and for nothing else', async () => {
    for (const path of ['/agent/guide/skills', '/knowledge']) {
      expect(await (await get(path, page)).text()).toContain('Built');
    }
    expect((await get('/agent/guide/skills')).status).toBe(401);
    for (const path of ['/api/nothing', '/agents/list', '/a2a/guide/x', '/missing.js']) {
      expect([path, (await get(path, page)).status]).toEqual([path, 401]);
    }
    expect((await fetch(`${surface.url}/knowledge`, { method: 'POST', headers: page })).status).toBe(401);
  });

  it('are not found, with or without a token, after a newer build has replaced them', async () => {
    for (const headers of [{}, page]) {
      const gone = await get('/assets/index-AbCdEfGh.js', headers);
      expect([gone.status, await gone.text(), gone.headers.get('cache-control')]).toEqual([
        404,
        '',
        'no-store',
      ]);
    }
    expect((await surface.fetch('/assets/none.css')).status).toBe(404);
    expect((await fetch(`${surface.url}/assets/none.css`, { method: 'POST' })).status).toBe(401);
  });

  it.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/%00',
  ])('never come from outside of the folder: %s', async (path) => {
    const socket = connect(Number(new URL(surface.url).port), '127.0.0.1');
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${surface.host}\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
    );
    expect(await text(socket)).not.toContain('outside');
  });

  it('are not served to another host', async () => {
    const socket = connect(Number(new URL(surface.url).port), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: evil.example\r\nAccept: text/html\r\nConnection: close\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1.1 403/);
  });
});

describe('a mounted protocol', () => {
  it('may have public paths', async () => {
    const card = await get('/.well-known/agent-card.json');
    expect([card.status, await card.json()]).toEqual([
      200,
      { path: '/.well-known/agent-card.json', agent: null, caller: 'anonymous' },
    ]);
    expect(card.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('gets deep paths of an agent, with a token', async () => {
    expect((await get('/a2a/guide/v1/message:send')).status).toBe(401);
    const deep = await surface.fetch('/a2a/guide/v1/message:send');
    expect(await deep.json()).toEqual({
      path: '/a2a/guide/v1/message:send',
      agent: 'guide',
      caller: 'operator',
    });
  });
});
