import { expect, it } from 'vitest';
import { remainingMs } from './progress.ts';

it.each([
  ['nothing before there is a pace', 300, 1, 99, null],
  ['nothing while nothing is done', 60_000, 0, 10, null],
  ['what is left at the pace so far', 10_000, 20, 60, 30_000],
  ['none when all is done, however soon', 300, 10, 0, 0],
])('the time left is %s', (_what, tookMs, done, left, expected) => {
  expect(remainingMs(tookMs, done, left)).toBe(expected);
});
