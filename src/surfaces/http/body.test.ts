import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Init, type ServedSurface, serveSurface } from '../../../test/serve-surface.ts';

const json = { 'content-type': 'application/json' };
const MIB = 1024 * 1024;

let surface: ServedSurface;
beforeAll(async () => {
  surface = await serveSurface();
});
afterAll(() => surface[Symbol.asyncDispose]());

const create = (body: NonNullable<Init['body']>, headers: Record<string, string> = json, init: Init = {}) =>
  surface.fetch('/api/agents', { method: 'POST', body, headers, ...init });

async function refusal(response: Response) {
  const { error } = JSON.parse(await response.text());
  return { status: response.status, ...error };
}

/** A request that `fetch` would not send. */
function raw(lines: string[], body: string): Promise<string> {
  const socket = connect(Number(new URL(surface.url).port), '127.0.0.1');
  const head = [
    ...lines,
    `Host: ${surface.host}`,
    `Authorization: Bearer ${surface.token}`,
    'Connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return text(socket);
}

describe('malformed JSON', () => {
  it.each([
    ['{"name": }', 1, 10],
    ['{"name": "x"', 1, 13],
    ['{\n  "name": "x",\n  oops\n}', 3, 3],
    ['{"name": "x"} trailing', 1, 15],
    ["{'name': 'x'}", 1, 2],
    ['{"name": "x", /* no */ "id": "y"}', 1, 15],
  ])('%j is refused with line and column', async (body, line, column) => {
    expect(await refusal(await create(body))).toMatchObject({
      status: 400,
      code: 'bad_request',
      message: expect.stringContaining(`(line ${line}, column ${column})`),
      details: { reason: 'invalid_format', line, column },
    });
  });

  it('includes text that is not UTF-8', async () => {
    const latin1 = Buffer.from('{"name": "Jürgen"}', 'latin1');
    expect(await refusal(await create(latin1))).toMatchObject({
      status: 400,
      message: 'The body is not UTF-8',
    });
  });

  it('does not include a byte order mark', async () => {
    expect((await create(`\uFEFF{"name": "Marked"}`)).status).toBe(201);
  });
});

describe('a body of another type', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'multipart/form-data; boundary=x',
  ])('%s is refused, with the expected type', async (type) => {
    expect(await refusal(await create('{"name": "x"}', { 'content-type': type }))).toMatchObject({
      status: 400,
      code: 'bad_request',
      message: expect.stringContaining('Content-Type: application/json'),
    });
  });

  it('is refused without a Content-Type; every JSON type is accepted', async () => {
    const untyped = await raw(['POST /api/agents HTTP/1.1', 'Content-Length: 13'], '{"name": "x"}');
    expect(untyped).toMatch(/^HTTP\/1\.1 400 /);
    expect(
      (await create('{"name": "Typed"}', { 'content-type': 'Application/JSON; charset=utf-8' })).status,
    ).toBe(201);
    expect(
      (await create('{"name": "Plus"}', { 'content-type': 'application/merge-patch+json' })).status,
    ).toBe(201);
  });
});

describe('a missing body', () => {
  it('is an error where the operation requires a body', async () => {
    const response = await surface.fetch('/api/agents', { method: 'POST' });
    expect(await refusal(response)).toMatchObject({ status: 400, message: 'A JSON body is required' });
  });

  it('is accepted where it is optional, however it is omitted', async () => {
    expect((await surface.fetch('/agents/guide/prompt', { method: 'POST' })).status).toBe(200);
    expect(
      (await surface.fetch('/agents/guide/prompt', { method: 'POST', headers: json, body: '' })).status,
    ).toBe(200);
    expect(await raw(['POST /agents/guide/prompt HTTP/1.1'], '')).toMatch(/^HTTP\/1\.1 200 /);
    expect(
      await raw(['POST /agents/guide/prompt HTTP/1.1', 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
    ).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('a large body', () => {
  const ten = 10 * MIB;
  const large = { status: 413, code: 'too_large', details: { limit: MIB } };

  it('of ten megabytes is refused by its Content-Length', async () => {
    expect(await refusal(await create('x'.repeat(ten)))).toMatchObject(large);
  });

  it('of ten megabytes is refused without a Content-Length', async () => {
    const body = new ReadableStream({
      start(controller) {
        for (let sent = 0; sent < ten; sent += 65_536) controller.enqueue(new Uint8Array(65_536).fill(32));
        controller.close();
      },
    });
    expect(await refusal(await create(body, json, { duplex: 'half' }))).toMatchObject(large);
  });

  it('is accepted up to the limit, even in chunks', async () => {
    const fits = JSON.stringify({ name: 'Fits', description: '' }).padEnd(MIB, ' ');
    expect((await create(fits)).status).toBe(201);
    const pieces = new Blob([fits.slice(0, 700_000), fits.slice(700_000)]).stream();
    expect((await create(pieces, json, { duplex: 'half' })).status).toBe(201);
    expect(await refusal(await create(`${fits} `))).toMatchObject(large);
  });
});

describe('keys with a special meaning in JavaScript', () => {
  it('have no effect', async () => {
    const hostile = '{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}';
    expect(await refusal(await create(hostile))).toMatchObject({ status: 400 });
    await surface.fetch('/agents/guide/prompt', {
      method: 'POST',
      headers: json,
      body: `{"arguments": ${hostile}}`,
    });
    await create(`{"name": "Odd", "metadata": ${hostile}}`);
    const bare: Record<string, unknown> = {};
    expect(bare['polluted']).toBeUndefined();
    expect((await surface.fetch('/health')).status).toBe(200);
  });
});
