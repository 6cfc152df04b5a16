import { describe, expect, it } from 'vitest';
import { eventStream } from './event-stream.ts';

const unexpected = (error: unknown) => {
  throw error;
};
const options = { signals: [], onError: unexpected };

async function* count(to: number) {
  for (let seq = 1; seq <= to; seq += 1) yield { seq, type: 'agent-changed' };
}

/** Yields events until the signal aborts, as the hub does. */
async function* silence(signal: AbortSignal) {
  yield { seq: 1, type: 'agent-changed' };
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text();
}

const read = async (reader: ReadableStreamDefaultReader<Uint8Array>) =>
  new TextDecoder().decode((await reader.read()).value);

describe('a stream of events', () => {
  it('numbers and names each event', async () => {
    expect(await readAll(eventStream(() => count(2), options))).toBe(
      'retry: 1000\n\n' +
        'id: 1\nevent: agent-changed\ndata: {"seq":1,"type":"agent-changed"}\n\n' +
        'id: 2\nevent: agent-changed\ndata: {"seq":2,"type":"agent-changed"}\n\n',
    );
  });

  it('sends heartbeats while nothing happens', async () => {
    const reader = eventStream(silence, { ...options, heartbeatMs: 10 }).getReader();
    expect(await read(reader)).toBe('retry: 1000\n\n');
    expect(await read(reader)).toContain('id: 1');
    expect(await read(reader)).toBe(':\n\n');
    expect(await read(reader)).toBe(':\n\n');
    await reader.cancel();
  });

  it('pulls events only as fast as they are read', async () => {
    let drawn = 0;
    async function* flood() {
      for (;;) yield { seq: (drawn += 1), type: 'agent-changed' };
    }
    const reader = eventStream(flood, options).getReader();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const before = drawn;
    expect(before).toBeLessThan(32);
    for (let index = 0; index < 100; index += 1) await reader.read();
    expect(drawn).toBeGreaterThanOrEqual(99);
    expect(drawn).toBeLessThan(99 + 32);
    await reader.cancel();
  });

  it('notifies its source when the reader disconnects', async () => {
    let told: AbortSignal | undefined;
    const reader = eventStream((signal) => silence((told = signal)), options).getReader();
    await reader.read();
    expect(told?.aborted).toBe(false);
    await reader.cancel();
    expect(told?.aborted).toBe(true);
  });

  it('ends immediately on request, even if its source is slow', async () => {
    const closing = new AbortController();
    async function* deaf() {
      yield { seq: 1, type: 'agent-changed' };
      await new Promise(() => undefined);
    }
    const text = readAll(eventStream(deaf, { ...options, signals: [closing.signal] }));
    await new Promise((resolve) => setTimeout(resolve, 10));
    closing.abort();
    expect(await text).toContain('id: 1');
    expect(await readAll(eventStream(deaf, { ...options, signals: [closing.signal] }))).toBe(
      'retry: 1000\n\n',
    );
  });

  it('ends when its source fails, and reports the failure once', async () => {
    const errors: unknown[] = [];
    async function* broken() {
      yield { seq: 1, type: 'agent-changed' };
      throw new Error('out of events');
    }
    expect(
      await readAll(eventStream(broken, { signals: [], onError: (error) => errors.push(error) })),
    ).toContain('id: 1');
    expect(errors).toEqual([new Error('out of events')]);
  });
});
