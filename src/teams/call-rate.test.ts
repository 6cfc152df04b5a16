import { expect, test } from 'vitest';
import { createCallRate } from './call-rate.ts';

test('a member that calls too often is told when to try again, and others are not affected', () => {
  let at = 0;
  const rate = createCallRate(() => at);
  rate('a', 2);
  at = 10_000;
  rate('a', 2);
  expect(() => rate('a', 2)).toThrow('Try again in 50 s');
  expect(() => rate('b', 2)).not.toThrow();
  at = 61_000;
  expect(() => rate('a', 2)).not.toThrow();
});

test('members without calls in the last minute are not kept', () => {
  let at = 0;
  const calls = new Map<string, number[]>();
  const rate = createCallRate(() => at, calls);
  for (let n = 0; n < 100; n++) rate(`member ${n}`, 60);
  at = 90_000;
  rate('later', 60);
  expect([...calls.keys()]).toEqual(['later']);
});
