import type { Caller } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { Hub } from '../../hub/hub.ts';

/** Enough for any client, and few enough to leave capacity for the operator. */
const MOST_OPEN = 500;

/** A response that can be cut off. */
export interface Held {
  once(event: 'close', listener: () => void): unknown;
  destroy(): unknown;
}

/** The requests that are open for each bound token: their number is limited, and they end when it is revoked. */
export interface TokenUse {
  hold(caller: Caller, response: Held): void;
  close(): void;
}

export function createTokenUse(hub: Pick<Hub, 'onTokenRevoked'>, mostOpen = MOST_OPEN): TokenUse {
  const open = new Map<string, Set<Held>>();
  const stop = hub.onTokenRevoked((tokenId) => {
    for (const response of open.get(tokenId) ?? []) response.destroy();
  });
  return {
    hold(caller, response) {
      if (caller.kind !== 'agent') return;
      const { tokenId } = caller;
      const held = open.get(tokenId) ?? new Set();
      if (held.size >= mostOpen) {
        const message = `Too many open requests: a token that is bound to an agent may have ${mostOpen} at a time`;
        throw new ZooError('budget_exceeded', message, { limit: mostOpen });
      }
      held.add(response);
      open.set(tokenId, held);
      response.once('close', () => {
        held.delete(response);
        if (held.size === 0 && open.get(tokenId) === held) open.delete(tokenId);
      });
    },
    close: stop,
  };
}
