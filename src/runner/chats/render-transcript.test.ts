import { expect, it } from 'vitest';
import { NO_USAGE, type Run, type RunStep } from '../../contract/run.ts';
import { renderTranscript } from './render-transcript.ts';

const run: Run = {
  id: '0b5c2b53-9f0f-4bb5-a1d5-3c3ad1c6a1f4',
  state: 'completed',
  agentId: 'ada',
  agentRevision: 0,
  workspace: 'w',
  model: 'anthropic/claude-sonnet-4-5',
  caller: 'operator',
  surface: 'cli',
  prompt: 'Hi',
  steps: 1,
  usage: NO_USAGE,
  error: null,
  endReason: 'answered',
  chatId: null,
  turn: null,
  parent: null,
  createdAt: '2026-11-16T12:00:00.000Z',
  endedAt: null,
  input: [{ type: 'text', text: 'Hi' }],
  system: '',
  tools: [],
  receipt: null,
  text: 'Hello.',
  stepsTaken: [],
};
const step: RunStep = {
  step: 1,
  model: 'anthropic/claude-sonnet-4-5',
  messages: [{ role: 'assistant', parts: [{ type: 'text', text: 'Hello.' }] }],
  usage: NO_USAGE,
  startedAt: '2026-11-16T12:00:00.000Z',
  durationMs: 1,
};

it('has a complete answer once, and what had arrived of one that was cut off', () => {
  expect(renderTranscript('Chat', [{ ...run, stepsTaken: [step] }]).split('Hello.')).toHaveLength(2);
  const cancelled: Run = { ...run, state: 'cancelled', text: 'Half an ans' };
  expect(renderTranscript('Chat', [cancelled])).toContain('Half an ans\n\n> Cancelled.');
});
