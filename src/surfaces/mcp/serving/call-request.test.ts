import { expect, test } from 'vitest';
import { parseCall } from './call-request.ts';

const call = (params: object, rest: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params,
  ...rest,
});

test('reads a call as most clients send it', () => {
  expect(parseCall(call({ name: 'echo' }))).toEqual({ id: 1, name: 'echo', args: {}, meta: undefined });
  const meta = { progressToken: 'p', other: {} };
  expect(parseCall(call({ name: 'echo', arguments: { a: 1 }, _meta: meta }, { id: 'x' }))).toEqual({
    id: 'x',
    name: 'echo',
    args: { a: 1 },
    meta,
  });
});

test.each([
  ['not an object', null],
  ['a batch', [call({ name: 'echo' })]],
  ['another method', call({ name: 'echo' }, { method: 'tools/list' })],
  ['another version', call({ name: 'echo' }, { jsonrpc: '1.0' })],
  ['a notification', { jsonrpc: '2.0', method: 'tools/call', params: { name: 'echo' } }],
  ['an id that is null', call({ name: 'echo' }, { id: null })],
  ['an id that is a fraction', call({ name: 'echo' }, { id: 1.5 })],
  ['an unknown member', call({ name: 'echo' }, { extra: 1 })],
  ['no name', call({})],
  ['a name that is a number', call({ name: 1 })],
  ['arguments that are a list', call({ name: 'echo', arguments: [] })],
  ['a task', call({ name: 'echo', task: {} })],
  ['answers to questions', call({ name: 'echo', inputResponses: {} })],
  ['a state', call({ name: 'echo', requestState: 's' })],
  ['metadata that is text', call({ name: 'echo', _meta: 'x' })],
  ['an invalid progress token', call({ name: 'echo', _meta: { progressToken: {} } })],
])('leaves to the SDK: %s', (_name, body) => {
  expect(parseCall(body)).toBeNull();
});
