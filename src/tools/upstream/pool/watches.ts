import { setTimeout as sleep } from 'node:timers/promises';
import type { Link } from '../connection/link.ts';
import { retryDelay } from '../../../platform/processes/retry-delay.ts';
import type { UpstreamServer } from './upstream-server.ts';

/** Subscriptions to the resources of one server, which runs as long as there are any. */
export interface Watches {
  /** Returns a function to unsubscribe. Also notifies after a reconnect: a change may have been missed. */
  add(uri: string, onUpdated: () => void): () => void;
  /** The server reports a change. */
  updated(uri: string): void;
  close(): void;
}

export interface WatchesOptions {
  /** The current server; a restart creates a new one. */
  server(): UpstreamServer;
  idleMs: number;
  onEmpty(): void;
}

export function createWatches({ server, idleMs, onEmpty }: WatchesOptions): Watches {
  const listeners = new Map<string, Set<() => void>>();
  const stop = new AbortController();
  let link: Link | null = null;

  const tell = (uri: string): void => listeners.get(uri)?.forEach((each) => each());
  const sync = async (): Promise<void> => link?.watch([...listeners.keys()]);

  async function hold(again: boolean): Promise<void> {
    const lease = await server().lease(idleMs, stop.signal);
    try {
      if (stop.signal.aborted) return;
      link = lease.link;
      await sync();
      if (again) for (const uri of listeners.keys()) tell(uri);
      await Promise.race([lease.link.closed, aborted(stop.signal)]);
    } finally {
      link = null;
      lease.release();
    }
  }

  async function keep(): Promise<void> {
    let failures = 0;
    for (let again = false; !stop.signal.aborted;) {
      try {
        await hold(again);
        again = true;
        failures = 0;
      } catch {
        // The reason is in the server's status.
        failures += 1;
      }
      const rest = retryDelay(failures);
      await sleep(rest, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    }
  }

  return {
    add(uri, onUpdated) {
      const isFirst = listeners.size === 0;
      const known = listeners.get(uri);
      const told = known ?? new Set();
      const listener = (): void => onUpdated();
      listeners.set(uri, told.add(listener));
      if (isFirst) void keep();
      else if (!known) void sync();
      return () => {
        told.delete(listener);
        if (told.size > 0 || listeners.get(uri) !== told) return;
        listeners.delete(uri);
        // Before the abort, which releases the connection.
        void sync();
        if (listeners.size > 0) return;
        stop.abort();
        onEmpty();
      };
    },

    updated(uri) {
      // A server may report a part of a watched resource.
      for (const watched of listeners.keys()) {
        if (uri === watched || uri.startsWith(watched.endsWith('/') ? watched : `${watched}/`)) tell(watched);
      }
    },

    close() {
      listeners.clear();
      stop.abort();
    },
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
