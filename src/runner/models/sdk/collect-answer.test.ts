import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { expect, it } from 'vitest';
import { collectAnswer } from './collect-answer.ts';

const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };
const FINISH: LanguageModelV3StreamPart = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: { inputTokens: tokens, outputTokens: { total: 1, text: 1, reasoning: 0 } },
};
const TEXT: LanguageModelV3StreamPart[] = [
  { type: 'text-start', id: '0' },
  { type: 'text-delta', id: '0', delta: 'Hello.' },
  { type: 'text-end', id: '0' },
];

/** A stream of these parts that stays open, and what became of it. */
function openStream(parts: readonly LanguageModelV3StreamPart[]) {
  let end: ReadableStreamDefaultController<LanguageModelV3StreamPart> | undefined;
  const fate = { isCancelled: false };
  const stream = new ReadableStream<LanguageModelV3StreamPart>({
    start(controller) {
      end = controller;
      for (const part of parts) controller.enqueue(part);
    },
    cancel: () => void (fate.isCancelled = true),
  });
  return { stream, fate, fail: (error: Error) => end?.error(error) };
}

it('the answer is complete with its finish, whatever becomes of the connection', async () => {
  const { stream, fate, fail } = openStream([...TEXT, FINISH]);
  const { parts, finish } = await collectAnswer(stream, () => undefined);
  expect([parts, finish]).toEqual([[{ type: 'text', text: 'Hello.' }], 'stop']);
  fail(new Error('reset'));
  expect(fate.isCancelled).toBe(false);
});

it('the request of a server that never ends its answer is cancelled', async () => {
  const { stream, fate } = openStream([...TEXT, FINISH]);
  await collectAnswer(stream, () => undefined);
  await expect.poll(() => fate.isCancelled, { timeout: 20_000 }).toBe(true);
});

it('an error in the stream ends it, and its request', async () => {
  const { stream, fate } = openStream([...TEXT, { type: 'error', error: new Error('overloaded') }, FINISH]);
  await expect(collectAnswer(stream, () => undefined)).rejects.toThrow('overloaded');
  expect(fate.isCancelled).toBe(true);
});

it('a stream that ends without a finish was cut off', async () => {
  const stream = ReadableStream.from(TEXT);
  await expect(collectAnswer(stream, () => undefined)).rejects.toThrow('cut off');
});

it('each call has an id of its own, also from servers that repeat or omit them', async () => {
  const call = (toolCallId: string): LanguageModelV3StreamPart => ({
    type: 'tool-call',
    toolCallId,
    toolName: 'send',
    input: '{}',
  });
  const { stream } = openStream([call('a'), call('a'), call(''), call(''), FINISH]);
  const { parts } = await collectAnswer(stream, () => undefined);
  const ids = parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : []));
  expect(ids[0]).toBe('a');
  expect(new Set(ids.filter((id) => id !== '')).size).toBe(4);
});

it('arguments that are nested too deeply stay text', async () => {
  const input = `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
  const call = { type: 'tool-call' as const, toolCallId: 'call_0', toolName: 'look', input };
  const { stream } = openStream([call, FINISH]);
  const { parts } = await collectAnswer(stream, () => undefined);
  expect(parts).toEqual([{ type: 'tool-call', id: 'call_0', name: 'look', input }]);
});
