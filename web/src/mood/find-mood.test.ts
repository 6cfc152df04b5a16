import { expect, test } from 'vitest';
import { findMood } from './find-mood.ts';

const now = Date.parse('2026-11-16T12:00:00Z');
const today = '2026-11-16T08:00:00Z';
const longAgo = '2026-11-01T08:00:00Z';
const run = (state: 'running' | 'failed' | 'completed' | 'waiting', createdAt = today) => ({
  state,
  createdAt,
});

test.each([
  ['awake', { runs: [], isAsking: false, lastAt: today }],
  ['awake', { runs: [run('completed')], isAsking: false, lastAt: longAgo }],
  ['asleep', { runs: [], isAsking: false, lastAt: longAgo }],
  ['asleep', { runs: [run('completed', longAgo)], isAsking: false, lastAt: null }],
  ['working', { runs: [run('running'), run('failed')], isAsking: false, lastAt: today }],
  ['waiting', { runs: [run('running')], isAsking: true, lastAt: today }],
  ['waiting', { runs: [run('waiting')], isAsking: false, lastAt: today }],
  ['unwell', { runs: [run('failed'), run('completed')], isAsking: false, lastAt: today }],
  ['awake', { runs: [run('completed'), run('failed')], isAsking: false, lastAt: today }],
] as const)('is %s', (mood, day) => {
  expect(findMood(day, now)).toBe(mood);
});
