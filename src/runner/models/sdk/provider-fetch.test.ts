import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { providerFetch } from './provider-fetch.ts';

async function serve(handle: RequestListener) {
  let connections = 0;
  const server = createServer(handle)
    .on('connection', () => connections++)
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const post = (url: string, more: RequestInit = {}) =>
  providerFetch(url, { method: 'POST', headers: { 'x-key': 'k' }, body: '{"text":"é"}', ...more });

it('sends a request on a kept connection, and answers as fetch does', async () => {
  await using server = await serve((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      response.writeHead(429, { 'retry-after': '7', 'set-cookie': ['a=1', 'b=2'] });
      response.end(`${request.method} ${String(request.headers['x-key'])} ${body}`);
    });
  });
  const ask = async (): Promise<void> => {
    const response = await post(server.url);
    expect([response.status, response.ok, response.headers.get('retry-after')]).toEqual([429, false, '7']);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await response.text()).toBe('POST k {"text":"é"}');
  };
  await ask();
  // An idle connection is closed after a while, which a slow machine may take for the next request.
  await expect
    .poll(async () => {
      const before = server.connections();
      await ask();
      return server.connections() - before;
    })
    .toBe(0);
});

it('follows redirects, and reads compressed and empty answers', async () => {
  await using server = await serve((request, response) => {
    request.resume();
    if (request.url === '/') response.writeHead(307, { location: '/zipped' }).end();
    else if (request.url === '/empty') response.writeHead(204).end();
    else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('words'));
  });
  expect(await (await post(server.url)).text()).toBe('words');
  expect(await (await post(`${server.url}/zipped`)).text()).toBe('words');
  expect((await post(`${server.url}/empty`)).body).toBe(null);
});

it('tells a refused connection and an answer that broke off by the words of fetch', async () => {
  const gone = await serve(() => undefined);
  await gone[Symbol.asyncDispose]();
  await expect(post(gone.url)).rejects.toMatchObject({
    message: 'fetch failed',
    cause: expect.objectContaining({ code: 'ECONNREFUSED' }),
  });
  await using server = await serve((request, response) => {
    request.resume();
    response.writeHead(200).write('some ', () => response.destroy());
  });
  const response = await post(server.url);
  await expect(response.text()).rejects.toThrow('terminated');
});

it('stops a request when it is aborted, before its answer and during it', async () => {
  const asked: string[] = [];
  const closed: string[] = [];
  await using server = await serve((request, response) => {
    request.resume();
    asked.push(request.url ?? '');
    response.on('close', () => closed.push(request.url ?? ''));
    if (request.url === '/begun') response.writeHead(200).write('some ');
  });
  const silent = new AbortController();
  const unanswered = post(`${server.url}/silent`, { signal: silent.signal });
  await expect.poll(() => asked).toEqual(['/silent']);
  silent.abort();
  await expect(unanswered).rejects.toMatchObject({ name: 'AbortError' });
  const during = new AbortController();
  const response = await post(`${server.url}/begun`, { signal: during.signal });
  const reader = response.body?.getReader();
  await reader?.read();
  during.abort();
  await expect(reader?.read()).rejects.toMatchObject({ name: 'AbortError' });
  await expect.poll(() => closed.toSorted()).toEqual(['/begun', '/silent']);
  await expect(post(server.url, { signal: during.signal })).rejects.toMatchObject({ name: 'AbortError' });
});
