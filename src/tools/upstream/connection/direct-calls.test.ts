import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { createDirectCalls } from './direct-calls.ts';
import type { Era } from './link.ts';
import type { StdioTransport } from './stdio-transport.ts';

/** A pipe whose far end is the test. */
function open(era: Era) {
  const sent: JSONRPCMessage[] = [];
  let close: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const transport: Pick<StdioTransport, 'send' | 'intercept'> = {
    intercept: undefined,
    send: async (message) => void sent.push(message),
  };
  const { call } = createDirectCalls(transport, { era, version: '2026-07-28', closed });
  const idOf = (message: JSONRPCMessage | undefined) => (message && 'id' in message ? message.id : undefined);
  const answer = (result: object, id = idOf(sent.at(-1))): boolean =>
    transport.intercept?.({ jsonrpc: '2.0', id: id ?? 0, result: { ...result } }) ?? false;
  const fail = (error: { code: number; message: string }): boolean =>
    transport.intercept?.({ jsonrpc: '2.0', id: idOf(sent.at(-1)) ?? 0, error }) ?? false;
  return { call, sent, answer, fail, close };
}

const never = (): AbortSignal => new AbortController().signal;
const text = [{ type: 'text', text: 'hello' }];

test('a call returns the result of the server, with unknown fields', async () => {
  const { call, answer } = open('legacy');
  const result = call({ name: 'echo', arguments: {} }, never());
  expect(answer({ content: text, extra: 1 })).toBe(true);
  expect(await result).toEqual({ content: text, extra: 1 });
});

test('responses arrive in any order; others are left to the SDK', async () => {
  const { call, answer, sent } = open('legacy');
  const [first, second] = [call({ name: 'a' }, never()), call({ name: 'b' }, never())];
  const [a, b] = sent.map((message) => ('id' in message ? message.id : undefined));
  expect(answer({ content: [] }, 7)).toBe(false);
  expect(answer({ content: text }, b)).toBe(true);
  expect(answer({ content: [] }, a)).toBe(true);
  expect(await first).toEqual({ content: [] });
  expect(await second).toEqual({ content: text });
});

test('a request of the newest revision has an envelope, and its result a type', async () => {
  const { call, answer, sent } = open('modern');
  const result = call({ name: 'echo', _meta: { progressToken: 'x' } }, never());
  expect(sent[0]).toMatchObject({
    params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', progressToken: 'x' } },
  });
  answer({ content: text, resultType: 'complete' });
  expect(await result).toEqual({ content: text });

  const asked = call({ name: 'echo' }, never());
  answer({ resultType: 'input_required', requestState: 's' });
  expect(await asked).toMatchObject({ resultType: 'input_required', requestState: 's' });

  const untyped = call({ name: 'echo' }, never());
  answer({ content: text });
  await expect(untyped).rejects.toThrow('unsupported resultType');
});

test("a server's error, an invalid result and a closed connection fail the call", async () => {
  const { call, answer, fail, close } = open('legacy');
  const refused = call({ name: 'echo' }, never());
  fail({ code: -32_602, message: 'no such tool' });
  await expect(refused).rejects.toMatchObject({ code: -32_602, message: 'no such tool' });

  const invalid = call({ name: 'echo' }, never());
  answer({ content: 'text' });
  await expect(invalid).rejects.toThrow('Invalid result for tools/call');

  const lost = call({ name: 'echo' }, never());
  close();
  await expect(lost).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
});

test('a cancelled call notifies the server, and its late response is ignored', async () => {
  const { call, answer, sent } = open('legacy');
  const controller = new AbortController();
  const result = call({ name: 'echo' }, controller.signal);
  const [request] = sent;
  const id = request && 'id' in request ? request.id : undefined;
  controller.abort(new Error('enough'));
  await expect(result).rejects.toThrow('enough');
  expect(sent[1]).toMatchObject({ method: 'notifications/cancelled', params: { requestId: id } });
  expect(answer({ content: text }, id)).toBe(false);
});
