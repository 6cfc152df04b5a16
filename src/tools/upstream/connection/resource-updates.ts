import type { Client } from '@modelcontextprotocol/client';
import type { Era } from './link.ts';
import { keepListening } from './keep-listening.ts';

/** Subscriptions to resources over one connection. */
export interface ResourceUpdates {
  /** Subscribes to exactly these. Never throws; a refused subscription reports nothing. */
  watch(uris: readonly string[]): Promise<void>;
}

/** `onUpdated` gets the URIs of resources that may have changed. */
export function createResourceUpdates(
  client: Client,
  era: Era,
  options: { onUpdated(uri: string): void; timeout: number; closed: AbortSignal },
): ResourceUpdates {
  if (!client.getServerCapabilities()?.resources?.subscribe) return { watch: async () => undefined };
  client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
    options.onUpdated(params.uri),
  );
  return era === 'legacy' ? subscribeEach(client, options.timeout) : subscribeByStream(client, options);
}

function subscribeEach(client: Client, timeout: number): ResourceUpdates {
  const told = new Set<string>();
  let before = Promise.resolve();

  async function change(wanted: ReadonlySet<string>): Promise<void> {
    for (const uri of [...told].filter((each) => !wanted.has(each))) {
      told.delete(uri);
      await client.unsubscribeResource({ uri }, { timeout }).catch(() => undefined);
    }
    for (const uri of [...wanted].filter((each) => !told.has(each))) {
      told.add(uri);
      await client.subscribeResource({ uri }, { timeout }).catch(() => told.delete(uri));
    }
  }

  return {
    watch(uris) {
      before = before.then(() => change(new Set(uris)));
      return before;
    },
  };
}

function subscribeByStream(
  client: Client,
  { onUpdated, timeout, closed }: { onUpdated(uri: string): void; timeout: number; closed: AbortSignal },
): ResourceUpdates {
  let current: AbortController | null = null;
  return {
    async watch(uris) {
      const before = current;
      current = null;
      if (uris.length > 0 && !closed.aborted) {
        const stop = new AbortController();
        current = stop;
        const filter = { resourceSubscriptions: [...uris] };
        const first = await client.listen(filter, { timeout }).catch(() => undefined);
        const signal = AbortSignal.any([stop.signal, closed]);
        const onAgain = (): void => uris.forEach(onUpdated);
        void keepListening({ client, filter, first, onAgain, signal });
      }
      before?.abort();
    },
  };
}
