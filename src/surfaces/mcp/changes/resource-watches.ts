import type { CallContext } from '../../../contract/call.ts';
import type { Hub } from '../../../hub/hub.ts';
import { asZooError, type McpLog } from '../serving/error-form.ts';

/** Subscriptions to resources of upstream servers. */
export interface ResourceWatches {
  /** Counted: ends when it was deleted as often as it was added. */
  add(uri: string, context: CallContext): void;
  delete(uri: string): void;
  close(): void;
}

interface Watch {
  count: number;
  stop: () => void;
}

export function createResourceWatches(
  hub: Hub,
  log: McpLog,
  onUpdated: (uri: string) => void,
): ResourceWatches {
  const watches = new Map<string, Watch>();

  function begin(uri: string, context: CallContext): Watch {
    let over = false;
    const watch: Watch = {
      count: 0,
      stop: () => {
        over = true;
      },
    };
    const start = async (): Promise<void> => {
      const stop = await hub.offers.watchResource(uri, context, () => onUpdated(uri));
      if (over) stop?.();
      else if (stop) watch.stop = stop;
    };
    start().catch((error: unknown) => void asZooError(error, 'resources/subscribe', log));
    return watch;
  }

  return {
    add(uri, context) {
      const watch = watches.get(uri) ?? begin(uri, context);
      watch.count += 1;
      watches.set(uri, watch);
    },
    delete(uri) {
      const watch = watches.get(uri);
      if (!watch || (watch.count -= 1) > 0) return;
      watches.delete(uri);
      watch.stop();
    },
    close() {
      for (const { stop } of watches.values()) stop();
      watches.clear();
    },
  };
}
