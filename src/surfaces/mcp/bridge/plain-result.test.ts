import { expect, test } from 'vitest';
import { plainResultId } from './plain-result.ts';

const tail = '"jsonrpc":"2.0","id":7}';

test.each([
  ['a result', `{"result":{},${tail}`, 7],
  ['an id that is a text', '{"result":{},"jsonrpc":"2.0","id":"a-1"}', 'a-1'],
  ['a long one', `{"result":{"text":"${'é'.repeat(5000)}"},${tail}`, 7],
  ['another order', '{"jsonrpc":"2.0","id":7,"result":{}}', null],
  ['an error', `{"error":{},${tail}`, null],
  ['a request', `{"method":"ping",${tail}`, null],
  ['the same within a text', JSON.stringify({ result: { text: `,${tail}` } }), null],
  ['the same within the result', `{"result":{"x":1,${tail}}`, null],
])('%s', (_title, line, id) => {
  expect(plainResultId(Buffer.from(`${line}\n`))).toBe(id);
});
