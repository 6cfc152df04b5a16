import { expect, it } from 'vitest';
import { NO_USAGE, RunEvent } from '../../contract/run.ts';
import { createStopReason } from './stop-reason.ts';

const done = (state: 'completed' | 'failed' | 'cancelled', reason: string): RunEvent[] => [
  ...(state === 'failed' ? [{ type: 'error', code: 'provider_error', message: 'It failed.' } as const] : []),
  RunEvent.parse({ type: 'done', state, reason, text: '', steps: 1, usage: NO_USAGE }),
];

const stopReason = (events: readonly RunEvent[]) => {
  const reason = createStopReason();
  for (const event of events) reason.add(event);
  return reason.result();
};

it.each([
  ['completed', 'answered', 'end_turn'],
  ['completed', 'max_output_tokens', 'max_tokens'],
  ['failed', 'max_turns', 'max_turn_requests'],
  ['failed', 'refusal', 'refusal'],
  ['cancelled', 'cancelled', 'cancelled'],
  ['cancelled', 'token_revoked', 'cancelled'],
] as const)('a run that is %s (%s) ends its turn with %s', (state, reason, expected) => {
  expect(stopReason(done(state, reason))).toBe(expected);
});

it('any other failure rejects the prompt', () => {
  expect(() => stopReason(done('failed', 'error'))).toThrow('It failed.');
});
