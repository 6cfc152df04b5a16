import { expect, test } from 'vitest';
import { formatMoment } from '../numbers.ts';
import { splitHubText } from './split-hub-text.ts';

const code = (text: string) => ({ text, isCode: true });
const plain = (text: string) => ({ text, isCode: false });

test.each([
  ['Review it with `zoo trust`.', [plain('Review it with '), code('zoo trust'), plain('.')]],
  ['`a`, `b`', [code('a'), plain(', '), code('b')]],
  ['a lone ` in a log\nand another ` later', [plain('a lone ` in a log\nand another ` later')]],
])('finds the code in %s', (text, pieces) => {
  expect(splitHubText(text)).toEqual(pieces);
});

test('shows times in the locale of the user, but not inside of code', () => {
  const time = '2026-11-16T14:48:38.174Z';
  expect(splitHubText(`from ${time}.`)).toEqual([plain(`from ${formatMoment(time)}.`)]);
  expect(splitHubText(`\`${time}\``)).toEqual([code(time)]);
});

test.each(['0000-00-00T00:00:00Z', '2026-11-16T23:59:60Z'])(
  'leaves %s as it is, which is no time',
  (text) => {
    expect(splitHubText(text)).toEqual([plain(text)]);
  },
);
