import type { StopReason } from '@agentclientprotocol/sdk';
import type { RunEvent } from '../../contract/run.ts';
import { failedTurn } from './errors.ts';

/** Determines how a run ended, for the response to its prompt. */
export function createStopReason(): { add(event: RunEvent): void; result(): StopReason } {
  let failure: Extract<RunEvent, { type: 'error' }> | null = null;
  let done: Extract<RunEvent, { type: 'done' }> | null = null;
  return {
    add(event) {
      if (event.type === 'error') failure = event;
      if (event.type === 'done') done = event;
    },
    result() {
      if (done?.reason === 'max_output_tokens') return 'max_tokens';
      if (done?.reason === 'max_turns') return 'max_turn_requests';
      if (done?.reason === 'refusal') return 'refusal';
      if (done?.state === 'completed') return 'end_turn';
      if (done?.state === 'cancelled') return 'cancelled';
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
