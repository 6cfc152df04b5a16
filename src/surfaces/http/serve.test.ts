import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { serveSurface } from '../../../test/serve-surface.ts';
import { someRoundWithin } from '../../../test/some-round-within.ts';

const json = { 'content-type': 'application/json' };

async function nextEvent(reader: ReadableStreamDefaultReader<string>, from = ''): Promise<string> {
  let seen = from;
  while (!/\ndata: .*\n\n/.test(seen)) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`ended after ${JSON.stringify(seen)}`);
    seen += value;
  }
  return seen;
}

const readerOf = (response: Response) => {
  if (!response.body) throw new Error('no body');
  return response.body.pipeThrough(new TextDecoderStream()).getReader();
};

describe('events', () => {
  it('arrive as they happen, and resume after the last one seen', async () => {
    await using surface = await serveSurface();
    const stream = await surface.fetch('/api/events');
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    const reader = readerOf(stream);
    await reader.read();
    await surface.fetch('/api/agents', { method: 'POST', headers: json, body: '{"name": "One"}' });
    const first = await nextEvent(reader);
    expect(first).toMatch(/id: \d+\nevent: agent-created\ndata: \{.*"agentId":"one"/);
    await reader.cancel();

    await surface.fetch('/api/agents', { method: 'POST', headers: json, body: '{"name": "Two"}' });
    const id = /id: (\d+)/.exec(first)?.[1] ?? '';
    // A reconnecting browser sends both.
    const resumed = readerOf(
      await surface.fetch('/api/events?after=0', { headers: { 'last-event-id': id } }),
    );
    expect(await nextEvent(resumed)).toContain('"agentId":"two"');
    await resumed.cancel();
    const after = readerOf(await surface.fetch(`/api/events?after=${id}`));
    expect(await nextEvent(after)).toContain('"agentId":"two"');
    await after.cancel();
    expect((await surface.fetch('/api/events', { headers: { 'last-event-id': 'x' } })).status).toBe(400);
    expect((await surface.fetch('/api/events?after=x')).status).toBe(400);
    expect((await fetch(`${surface.url}/api/events`)).status).toBe(401);
  });

  it('are no longer produced once the reader disconnects', async () => {
    let signal: AbortSignal | undefined;
    await using surface = await serveSurface({
      operations: () => ({
        async *events(_input, context) {
          signal = context.signal;
          await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
          yield* [];
        },
      }),
    });
    const hangUp = new AbortController();
    await surface.fetch('/api/events', { signal: hangUp.signal });
    expect(signal?.aborted).toBe(false);
    hangUp.abort();
    await expect.poll(() => signal?.aborted).toBe(true);
    expect(surface.logged).toEqual([]);
  });
});

async function closeWhileBusy(): Promise<void> {
  let finish = (): void => undefined;
  const slow = new Promise<void>((resolve) => (finish = resolve));
  let started = (): void => undefined;
  const accepted = new Promise<void>((resolve) => (started = resolve));
  await using surface = await serveSurface({
    operations: () => ({
      async getCurrent() {
        started();
        await slow;
        return { agentId: 'slow' };
      },
    }),
  });
  const answer = surface.fetch('/api/current').then((response) => response.json());
  const stream = surface.fetch('/api/events').then((response) => response.text());
  await accepted;
  const closed = surface.close();
  expect(await stream).toContain('retry:');
  await expect(fetch(`${surface.url}/health`)).rejects.toThrow('fetch failed');
  finish();
  expect(await answer).toEqual({ agentId: 'slow' });
  await closed;
}

describe('closing', () => {
  it('answers accepted requests, ends streams, and accepts no more', async () => {
    // Less than the server's time limit for hanging requests.
    await someRoundWithin(2500, closeWhileBusy);
  });

  it('does not wait forever', async () => {
    let started = (): void => undefined;
    const accepted = new Promise<void>((resolve) => (started = resolve));
    await using surface = await serveSurface({
      operations: () => ({
        getCurrent() {
          started();
          return new Promise(() => undefined);
        },
      }),
    });
    const answer = surface.fetch('/api/current').catch((error: unknown) => error);
    await accepted;
    await surface.close();
    expect(await answer).toBeInstanceOf(Error);
  });
});

describe('a caller that disconnects', () => {
  it('aborts its operation, which is not treated as a bug', async () => {
    let aborted = false;
    const hangUp = new AbortController();
    await using surface = await serveSurface({
      operations: () => ({
        getCurrent: (_input, { signal }) =>
          new Promise((_resolve, reject) => {
            setTimeout(() => hangUp.abort(), 50);
            signal.addEventListener('abort', () => {
              aborted = true;
              reject(new Error('aborted'));
            });
          }),
      }),
    });
    await surface.fetch('/api/current', { signal: hangUp.signal }).catch((error: unknown) => error);
    await expect.poll(() => aborted).toBe(true);
    expect(surface.logged).toEqual([]);
  });
});

describe('a malformed request', () => {
  it.each([
    ['no host', 'GET /health HTTP/1.0\r\n\r\n', 400],
    ['a backslash', 'GET /health\\x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 400],
    [
      'two hosts',
      'GET /health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
      403,
    ],
    ['an odd host', 'GET /health HTTP/1.1\r\nHost: local host\r\nConnection: close\r\n\r\n', 400],
    ['noise', 'hello\r\n\r\n', 400],
    [
      'an absolute address elsewhere',
      'GET http://evil.example/health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
      403,
    ],
  ])('%s', async (_name, bytes, status) => {
    await using surface = await serveSurface();
    const socket = connect(Number(new URL(surface.url).port), '127.0.0.1');
    socket.write(bytes);
    expect(await text(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect((await surface.fetch('/health')).status).toBe(200);
  });
});
