import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scriptCall, scriptFile } from '../../../test/scripts/script-file.ts';
import { tempFolder } from '../../../test/temp-folder.ts';
import { createSandbox } from '../create-sandbox.ts';
import { parseHostGrants } from './host-grants.ts';
import type { Json } from '../sandbox.ts';

const sandbox = createSandbox({ threads: 1 });
let server: Server;
let port = 0;
const seen: string[] = [];

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const body = Buffer.concat(chunks);
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  seen.push(`${request.method} ${request.url}`);
  if (pathname === '/echo') {
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.end(
      JSON.stringify({
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: body.toString('hex'),
      }),
    );
  } else if (pathname === '/bytes') response.end(Buffer.from([0, 255, 254]));
  else if (pathname === '/hang') response.write('…');
  else if (pathname === '/large') for (let n = 0; n < 10; n++) response.write(Buffer.alloc(1024 * 1024));
  else if (pathname === '/missing')
    response.writeHead(404, { 'content-type': 'application/json' }).end('not json');
  else if (pathname.startsWith('/to/')) {
    response.writeHead(302, { location: decodeURIComponent(pathname.slice(4)) }).end();
  } else response.end('hello');
  if (pathname === '/large') response.end();
}

beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  await sandbox.close();
  server.closeAllConnections();
  server.close();
});

async function evaluate(body: string, hosts: string[] = [`127.0.0.1:${port}`]): Promise<Json> {
  await using folder = await tempFolder({
    'a/a.lua': `return { resolve = function(args)\nlocal url = args.url\n${body}\nend }`,
  });
  const file = scriptFile(`${folder.path}/a/a.lua`, { grants: { hosts } });
  const call = scriptCall({ args: [{ url: `http://127.0.0.1:${port}` }] });
  return (await sandbox.call(file, call)).value;
}

describe('a request of a script', () => {
  it('sends query, headers and JSON, and returns JSON', async () => {
    const body = `local r = http.post(url .. "/echo", { query = { a = "x y", n = 1 }, headers = { ["X-Key"] = "k" }, json = { deep = { 1 } } })
      return { r.status, r.ok, r.headers["content-type"], r.json.method, r.json.url, r.json.headers["x-key"], r.json.headers["content-type"], r.json.body }`;
    expect(await evaluate(body)).toEqual([
      200,
      true,
      'application/json; charset=utf-8',
      'POST',
      '/echo?a=x+y&n=1',
      'k',
      'application/json',
      Buffer.from('{"deep":[1]}').toString('hex'),
    ]);
  });

  it('carries bytes both ways', async () => {
    const body = `return { http.put(url .. "/echo", { body = "\\0\\xff" }).json.body, http.post(url .. "/echo", "plain").json.body, #http.get(url .. "/bytes").body, base64.encode(http.get(url .. "/bytes").body) }`;
    expect(await evaluate(body)).toEqual(['00ff', Buffer.from('plain').toString('hex'), 3, 'AP/+']);
  });

  it('returns error statuses to the script', async () => {
    const body = 'local r = http.delete(url .. "/missing") return { r.status, r.ok, r.body, r.json == nil }';
    expect(await evaluate(body)).toEqual([404, false, 'not json', true]);
  });

  it.each([
    ['http.get(url .. "/hang", { timeout = 0.1 })', 'timed out after 0.1 s'],
    ['http.get(url .. "/large")', 'the response is larger than'],
    ['http.get("nonsense")', 'its first argument is not a URL'],
    ['http.get(url, { headres = {} })', 'headres'],
    ['http.get(12)', 'http'],
    ['http.get("http://127.0.0.1:1/")', '127.0.0.1:1 is not an allowed host'],
  ])('explains the failure of %s', async (lua, message) => {
    await expect(evaluate(`local r = ${lua} return r.status`)).rejects.toThrow(message);
  });

  it('follows redirects within its grants', async () => {
    const sentOn = (target: string) => `return http.get(url .. "/to/${encodeURIComponent(target)}").body`;
    expect(await evaluate(sentOn('/end'))).toBe('hello');
    expect(await evaluate(sentOn(`/to/${encodeURIComponent('/end')}`))).toBe('hello');
    await expect(evaluate(sentOn('http://169.254.169.254/'))).rejects.toThrow(
      '169.254.169.254 is not an allowed host',
    );
    await expect(evaluate(sentOn('http://localhost:1/'))).rejects.toThrow(
      'localhost:1 is not an allowed host',
    );
    await expect(evaluate(sentOn('file:///etc/passwd'))).rejects.toThrow('only http and https');
    const loop =
      'local target = "/end" for i = 1, 7 do target = "/to/" .. target:gsub("[/%%]", { ["/"] = "%2F", ["%"] = "%25" }) end return http.get(url .. target).body';
    await expect(evaluate(loop)).rejects.toThrow('redirects more than 5 times');
  });

  it('does not send credentials to redirect targets', async () => {
    const body = `local r = http.get(url .. "/to/" .. ("http://localhost:${port}/echo"):gsub("/", "%%2F"), { headers = { Authorization = "Bearer x", Cookie = "c" } })
      return { r.json.headers.authorization == nil, r.json.headers.cookie == nil }`;
    expect(await evaluate(body, [`127.0.0.1:${port}`, `localhost:${port}`])).toEqual([true, true]);
  });

  it('does not reach a private address through a granted name', async () => {
    const before = seen.length;
    const body = `return http.get("http://localhost:${port}/").body`;
    await expect(evaluate(body, [`*:${port}`])).rejects.toThrow(
      /localhost resolves to (127\.0\.0\.1|::1), which is not a public address: add \1 to allow_hosts as well/,
    );
    expect(seen.length).toBe(before);
    expect(await evaluate(body, [`*:${port}`, '127.0.0.1'])).toBe('hello');
  });
});

describe('host grants', () => {
  it.each([
    ['api.example.com', 'https://api.example.com/x', true],
    ['api.example.com', 'http://API.example.com./x', true],
    ['api.example.com', 'https://api.example.com:8443/', false],
    ['api.example.com:8443', 'https://api.example.com:8443/', true],
    ['api.example.com:*', 'https://api.example.com:1234/', true],
    ['api.example.com', 'https://evil-api.example.com/', false],
    ['api.example.com', 'https://api.example.com.evil.org/', false],
    ['*.example.com', 'https://a.b.example.com/', true],
    ['*.example.com', 'https://example.com/', false],
    ['*.example.com', 'https://evilexample.com/', false],
    ['*', 'https://anything.org/', true],
    ['*', 'http://8.8.8.8/', false],
    ['127.0.0.1', 'http://0x7f.1/', true],
    ['::1', 'http://[::1]/', true],
    ['[::1]:80', 'http://[::1]:8080/', false],
    ['10.0.0.0/8', 'http://10.1.2.3/', true],
    ['10.0.0.0/8', 'http://11.1.2.3/', false],
  ])('%s lets a script reach %s: %s', (grant, url, allowed) => {
    expect(parseHostGrants([grant]).allowsUrl(new URL(url))).toBe(allowed);
  });

  it.each([
    ['1.1.1.1', ['x.example'], true],
    ['2606:4700::1111', ['x.example'], true],
    ['127.0.0.1', ['x.example'], false],
    ['10.1.2.3', ['x.example', '*'], false],
    ['10.1.2.3', ['x.example', '10.1.2.3'], true],
    ['10.1.2.3', ['x.example', '10.0.0.0/8'], true],
    ['192.168.1.1', ['x.example', '10.0.0.0/8'], false],
    ['169.254.169.254', ['x.example'], false],
    ['100.64.0.1', ['x.example'], false],
    ['0.0.0.0', ['x.example'], false],
    ['::1', ['x.example'], false],
    ['::ffff:10.0.0.1', ['x.example'], false],
    ['fd00::1', ['x.example'], false],
    ['fe80::1', ['x.example'], false],
    ['64:ff9b::7f00:1', ['x.example'], false],
    ['2002:7f00:1::', ['x.example'], false],
  ])('a name that resolves to %s, with %j: %s', (address, grants, allowed) => {
    expect(parseHostGrants(grants).allowsAddress(address, 'x.example')).toBe(allowed);
  });

  it('include loopback if localhost is granted', () => {
    expect(parseHostGrants(['localhost:8080']).allowsAddress('127.0.0.1', 'localhost')).toBe(true);
    expect(parseHostGrants(['localhost:8080']).allowsAddress('10.0.0.1', 'localhost')).toBe(false);
    expect(parseHostGrants(['localhost:8080']).allowsAddress('127.0.0.1', 'other.example')).toBe(false);
  });
});
