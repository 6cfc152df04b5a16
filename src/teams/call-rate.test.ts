import { expect, test } from 'vitest';
import { type RecentCalls, countCall } from './call-rate.ts';

test('a member that calls too often is told when to try again, and others are not affected', () => {
  const calls: RecentCalls = new Map();
  const call = (member: string, now: number) => () => countCall(calls, member, { perMinute: 2, now });
  call('a', 0)();
  call('a', 10_000)();
  expect(call('a', 10_000)).toThrow('Try again in 50 s');
  expect(call('b', 10_000)).not.toThrow();
  expect(call('a', 61_000)).not.toThrow();
});

test('members without calls in the last minute are not kept', () => {
  const calls: RecentCalls = new Map();
  for (let n = 0; n < 100; n++) countCall(calls, `member ${n}`, { perMinute: 60, now: 0 });
  countCall(calls, 'later', { perMinute: 60, now: 90_000 });
  expect([...calls.keys()]).toEqual(['later']);
});
