import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bridgeHome, type BridgeHome, initialize } from '../bridge/bridge-home.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const MCP = { ...JSON_TYPE, accept: 'application/json, text/event-stream' };

let home: BridgeHome;
let url: string;
let operator: string;
beforeAll(async () => {
  home = await bridgeHome({ 'zoo.toml': '[agents.helper]\nsystem_prompt = "Help."\n' });
  ({ url } = await home.serve());
  operator = readFileSync(join(home.home, 'operator-token'), 'utf8').trim();
});
afterAll(() => home[Symbol.asyncDispose]());

const as = (token: string) => ({ authorization: `Bearer ${token}` });

async function boundToken(): Promise<{ id: string; token: string }> {
  const body = JSON.stringify({ agentId: 'helper' });
  const headers = { ...JSON_TYPE, ...as(operator) };
  return JSON.parse(await (await fetch(`${url}/api/tokens`, { method: 'POST', headers, body })).text());
}

const openSession = (token: string, path: string) =>
  fetch(url + path, {
    method: 'POST',
    headers: { ...MCP, ...as(token) },
    body: JSON.stringify(initialize),
  });

const ping = (token: string, path: string, session: string) =>
  fetch(url + path, {
    method: 'POST',
    headers: { ...MCP, ...as(token), 'mcp-session-id': session },
    body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' }),
  });

test("a bound token that opens 1,001 sessions does not close the operator's", async () => {
  const { token } = await boundToken();
  const session = (await openSession(operator, '/mcp')).headers.get('mcp-session-id') ?? '';
  for (let opened = 0; opened < 1001; opened += 91) {
    const answers = await Promise.all(Array.from({ length: 91 }, () => openSession(token, '/mcp/helper')));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    await Promise.all(answers.map((answer) => answer.text()));
  }
  expect((await ping(operator, '/mcp', session)).status).toBe(200);
});

test.each(['/tools/search', '/mcp', '/api/agents', '/agents/helper/prompt', '/api/logins/exchange'])(
  'deeply nested JSON to %s is refused',
  async (path) => {
    for (const body of ['['.repeat(200_000), `{"a":${'{"a":'.repeat(150_000)}1${'}'.repeat(150_001)}`]) {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { ...MCP, ...as(operator) },
        body,
      });
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('100 levels')]);
    }
  },
);

describe('a revoked token', () => {
  const revoke = (id: string) =>
    fetch(`${url}/api/tokens/${id}`, { method: 'DELETE', headers: as(operator) });

  test('loses its streams, its sessions and its next request', async () => {
    const { id, token } = await boundToken();
    const session = (await openSession(token, '/mcp/helper')).headers.get('mcp-session-id') ?? '';
    const stream = await fetch(`${url}/mcp/helper`, {
      headers: { accept: 'text/event-stream', ...as(token), 'mcp-session-id': session },
    });
    expect(stream.status).toBe(200);
    const ended = stream.text().then(
      () => 'ended',
      () => 'ended',
    );
    expect((await revoke(id)).status).toBe(204);
    expect(await ended).toBe('ended');
    expect((await ping(token, '/mcp/helper', session)).status).toBe(401);
  });

  test('loses its connection to the socket of bridges', async () => {
    const { id, token } = await boundToken();
    const { socket: path } = JSON.parse(readFileSync(join(home.home, 'hub.json'), 'utf8'));
    const socket = connect(path);
    socket.write(`${JSON.stringify({ token, workspace: home.work, version: '0.1.0', pid: process.pid })}\n`);
    const [welcome] = await once(socket, 'data');
    expect(String(welcome)).toContain('"ok":true');
    const closed = once(socket, 'close');
    await revoke(id);
    await closed;
  });
});

describe('a client that holds connections open', () => {
  const port = () => Number(new URL(url).port);

  test('is disconnected when its headers do not come', async () => {
    const slow = Array.from({ length: 50 }, () => {
      const socket = connect(port(), '127.0.0.1');
      socket.write('GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ');
      const drip = setInterval(() => socket.write('x'), 500);
      socket.on('error', () => undefined).on('close', () => clearInterval(drip));
      return socket.resume();
    });
    const closed = slow.map((socket) => once(socket, 'close'));
    expect((await fetch(`${url}/health`)).status).toBe(200);
    await Promise.all(closed);
  });

  test('is refused with headers of a megabyte', async () => {
    const socket = connect(port(), '127.0.0.1').on('error', () => undefined);
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.write(`GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Huge: ${'x'.repeat(1_000_000)}\r\n\r\n`);
    // Not `once` of node:events, which rejects if the connection is reset.
    await new Promise((resolve) => socket.once('close', resolve));
    // The server closes without reading the rest, which may reach a client before the answer does.
    expect(text).toMatch(/^(HTTP\/1.1 431 |$)/);
    expect((await fetch(`${url}/health`)).status).toBe(200);
  });
});

test('another server on this host gets nothing from the page', async () => {
  const other = createServer((_incoming, outgoing) => outgoing.end()).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  try {
    const link = new URL((await home.zoo(['open'])).out.trim());
    const body = JSON.stringify({ code: link.hash.replace('#login=', '') });
    const page = await fetch(url);
    expect(page.headers.get('set-cookie')).toBeNull();
    // What a page of the other server can make a browser send.
    for (const [path, method] of [
      ['/api/logins/exchange', 'POST'],
      ['/api/agents', 'GET'],
      ['/api/agents', 'POST'],
    ] as const) {
      const headers = { ...JSON_TYPE, origin, 'sec-fetch-site': 'same-site' };
      const response = await fetch(url + path, { method, headers, ...(method === 'POST' && { body }) });
      expect([path, response.status]).toEqual([path, 403]);
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    }
    const exchanged = await fetch(`${url}/api/logins/exchange`, {
      method: 'POST',
      headers: { ...JSON_TYPE, origin: url },
      body,
    });
    expect([exchanged.status, exchanged.headers.get('set-cookie')]).toEqual([200, null]);
    const { token } = JSON.parse(await exchanged.text());
    expect((await fetch(`${url}/api/agents`, { headers: as(token) })).status).toBe(200);
    expect((await fetch(`${url}/api/agents`, { headers: { cookie: `token=${token}` } })).status).toBe(401);
  } finally {
    other.close();
  }
});

/** As a client that normalises nothing. */
async function rawGet(path: string, accept = '*/*'): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: ${accept}\r\nConnection: close\r\n\r\n`);
  await once(socket, 'close');
  return text;
}

describe('the static files of the page', () => {
  const up = ['../', '..%2f', '%2e%2e/', '%2e%2e%2f', '..\\', '..%5c', '....//', '.%00./'];
  const out = up.flatMap((step) => [
    `/${step.repeat(8)}etc/passwd`,
    `/assets/${step.repeat(8)}etc/passwd`,
    `/${step}zoo.js`,
    `/${step}package.json`,
  ]);

  test.each([...out, '//etc/passwd', '/%2fetc%2fpasswd', 'file:///etc/passwd', '/assets/', '/.env'])(
    'never come from outside of their folder: %s',
    async (path) => {
      for (const accept of ['*/*', 'text/html']) {
        const answer = await rawGet(path, accept);
        expect(answer).not.toMatch(/root:|#!\/usr\/bin\/env|"bin":|Index of/);
        // The page itself, or a refusal.
        expect(answer).toMatch(/^HTTP\/1.1 (?:4\d\d|200 OK[^]*<div id="root">)/);
      }
    },
  );

  test('allow no inline script, no foreign address and no frame, at any address of the page', async () => {
    const page = await rawGet('/', 'text/html');
    const script = /src="(\/assets\/[^"]+)"/.exec(page)?.[1] ?? '';
    for (const path of ['/', '/agents/helper', '/settings/anything', script]) {
      const answer = await rawGet(path, 'text/html');
      const policy = /^content-security-policy: (.*)$/im.exec(answer)?.[1] ?? '';
      expect([path, policy]).toEqual([path, expect.stringContaining("default-src 'none'")]);
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(answer).toMatch(/^x-content-type-options: nosniff$/im);
    }
    // What the policy would block must not be in the page either.
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=|javascript:/i);
  });
});
