import type { StopReason } from '@agentclientprotocol/sdk';
import type { RunEvent } from '../../contract/run.ts';
import { failedTurn } from './errors.ts';

/** Gathers how a run ended, for the answer to its prompt. */
export function createStopReason(): { add(event: RunEvent): void; result(): StopReason } {
  let wasCut = false;
  let failure: Extract<RunEvent, { type: 'error' }> | null = null;
  let done: Extract<RunEvent, { type: 'done' }> | null = null;
  return {
    add(event) {
      if (event.type === 'error') failure = event;
      if (event.type === 'done') done = event;
      if (event.type === 'step-started') wasCut = false;
      if (event.type === 'warning' && event.message.includes('max_output_tokens')) wasCut = true;
    },
    result() {
      if (done?.state === 'completed') return wasCut ? 'max_tokens' : 'end_turn';
      if (done?.state === 'cancelled') return 'cancelled';
      if (failure?.message.includes('max_turns')) return 'max_turn_requests';
      if (failure?.message === 'The model declined to answer.') return 'refusal';
      if (failure) throw failedTurn(failure.code, failure.message);
      throw failedTurn(
        'internal',
        done
          ? 'The turn was interrupted. Load the session again to continue.'
          : 'The hub is stopping. The conversation is kept: load the session again to continue.',
      );
    },
  };
}
