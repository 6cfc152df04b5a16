import type { UsageUpdate } from '@agentclientprotocol/sdk';
import type { TurnAnswer } from '../../harness.ts';

/** What an agent reports about its session, as what one turn has spent. */
export interface Usage {
  /** `used` is the size of the context, `cost` the price of the session so far. */
  report(update: Pick<UsageUpdate, 'used' | 'cost'>): void;
  /** Since the last call. */
  take(): TurnAnswer['spent'];
}

export function createUsage(): Usage {
  let context = 0;
  let price = 0;
  let spent = { tokens: 0, usd: 0 };
  return {
    report({ used, cost }) {
      // A context that was compacted is smaller; what is added to it afterwards counts again.
      spent.tokens += Math.max(0, used - context);
      context = used;
      if (cost?.currency === 'USD') {
        spent.usd += Math.max(0, cost.amount - price);
        price = cost.amount;
      }
    },
    take() {
      const taken = spent;
      spent = { tokens: 0, usd: 0 };
      return taken;
    },
  };
}
