import { expect, test } from 'vitest';
import type { ModelMessage, RunStep } from '../../../../src/contract/run.ts';
import { NO_USAGE } from '../../../../src/contract/run.ts';
import { sentIn } from './sent-in.ts';

const said = (role: 'user' | 'assistant', text: string): ModelMessage => ({
  role,
  parts: [{ type: 'text', text }],
});
const taken = (step: number): RunStep => ({
  step,
  model: 'm',
  messages: [said('assistant', `step ${step}`)],
  usage: NO_USAGE,
  startedAt: '',
  durationMs: 0,
});
const run = {
  system: 'You help.',
  tools: ['search'],
  input: [{ type: 'text' as const, text: 'now' }],
  stepsTaken: [taken(1), taken(2), taken(3)],
};
const earlier = [said('user', 'before'), said('assistant', 'answer')];

const texts = (shortened: { step: number; messages: ModelMessage[] } | null, step: number): string[] =>
  sentIn(run, { messages: earlier, shortened }, step).messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
  );

test('a step is sent earlier turns, the input, and the steps before it', () => {
  expect(texts(null, 1)).toEqual(['before', 'answer', 'now']);
  expect(texts(null, 3)).toEqual(['before', 'answer', 'now', 'step 1', 'step 2']);
});

test('a summary stands for everything before its step', () => {
  const summary = { step: 2, messages: [said('user', 'summary')] };
  expect(texts(summary, 1)).toEqual(['before', 'answer', 'now']);
  expect(texts(summary, 2)).toEqual(['summary']);
  expect(texts(summary, 3)).toEqual(['summary', 'step 2']);
});
