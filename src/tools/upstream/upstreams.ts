import type { CallContext } from '../../contract/call.ts';
import type { ToolCall } from '../../contract/tool.ts';
import type { Database } from '../../platform/store/database.ts';
import { clientOf, createConversations } from './calls/conversations.ts';
import { createDiscovery } from './pool/discovery.ts';
import type { Completion, Request } from './connection/link.ts';
import { createListStore, type Known } from './pool/list-store.ts';
import type { Processes } from '../../platform/processes/processes.ts';
import { createServerPool, type Place, placeKey, type ServerPoolOptions } from './pool/server-pool.ts';
import type { ServerFacts } from './pool/upstream-server.ts';
import type { Upstream } from './upstream.ts';
import { createWatches, type Watches } from './pool/watches.ts';

/** The upstream servers: their lists, and requests to them. Started on demand, shared unless configured otherwise. */
export interface Upstreams {
  /** In the given order; null for servers that were never reached. Waits a moment for those, the first time. */
  known(upstreams: readonly Upstream[]): Promise<(Known | null)[]>;
  /** Waits a moment for servers that were never reached. */
  arrive(upstreams: readonly Upstream[]): Promise<void>;
  /** Reads stored lists, for `peek`; starts nothing. */
  recall(upstreams: readonly Upstream[]): Promise<void>;
  request(upstream: Upstream, request: Request, call: ToolCall): Promise<Record<string, unknown>>;
  complete(upstream: Upstream, completion: Completion, context: CallContext): Promise<string[]>;
  /** Returns a function to unsubscribe. The server keeps running while it has subscriptions. */
  watch(upstream: Upstream, uri: string, context: CallContext, onUpdated: () => void): () => void;
  /** One entry per process or connection, including those that ended. */
  facts(upstream: Upstream): ServerFacts[];
  peek(upstream: Upstream): Known | null;
  /** Refreshes the lists now; throws if that fails. */
  look(upstream: Upstream): Promise<void>;
  /** Refreshes several servers, a few at a time; failures are recorded in their facts. */
  lookAtAll(upstreams: readonly Upstream[]): Promise<void>;
  /** Closes its connections; the next call opens new ones. */
  restart(upstream: Upstream): Promise<void>;
  /** Stops all other servers: no approved config names them any more. */
  retain(hashes: ReadonlySet<string>): Promise<void>;
  clientGone(client: string): void;
  close(): Promise<void>;
}

export interface UpstreamsOptions extends Pick<ServerPoolOptions, 'ready' | 'now' | 'auth' | 'admit'> {
  db: Database;
  processes: Pick<Processes, 'start' | 'settled'>;
  /** Whether servers that were never reached are started to read their lists. */
  discover: boolean;
  onChanged(owners: (string | null)[]): void;
  /** A server of these owners has started, stopped or failed. */
  onState(owners: (string | null)[]): void;
  onError(message: string, error: unknown): void;
}

export function createUpstreams(options: UpstreamsOptions): Upstreams {
  const watches = new Map<string, Place & { watches: Watches }>();
  const discovery = createDiscovery({
    ...options,
    store: createListStore(options.db),
    look: (upstream) => pool.lookInTurn(upstream),
  });
  const pool = createServerPool({
    ...options,
    discovery,
    onState: (hash) => options.onState(discovery.ownersOf(hash)),
    onResourceUpdated: (place, uri) => watches.get(placeKey(place))?.watches.updated(uri),
  });
  const conversations = createConversations((upstream, client, request, listener) =>
    pool.send(upstream, client, listener.signal, (link) => link.request(request, listener)),
  );

  function endWatches(which: (place: Place) => boolean): void {
    for (const [key, each] of watches) {
      if (!which(each)) continue;
      watches.delete(key);
      each.watches.close();
    }
  }

  return {
    known: (upstreams) => discovery.known(upstreams, { wait: options.discover }),
    async arrive(upstreams) {
      await discovery.known(upstreams, { wait: true });
    },
    async recall(upstreams) {
      await discovery.known(upstreams, { wait: false });
    },
    peek: ({ hash }) => discovery.peek(hash),
    look: (upstream) => pool.look(upstream),
    async lookAtAll(upstreams) {
      await Promise.allSettled(upstreams.map((upstream) => pool.lookInTurn(upstream)));
    },

    async request(upstream, request, call) {
      // Loads its revision and whether it asks questions.
      await discovery.known([upstream], { wait: false });
      return conversations.attend(upstream, request, call);
    },

    complete: (upstream, completion, context) =>
      pool.send(upstream, clientOf(context), context.signal, (link) =>
        link.complete(completion, context.signal),
      ),

    watch(upstream, uri, context, onUpdated) {
      const place: Place = { hash: upstream.hash, client: upstream.shared ? '' : clientOf(context) };
      const key = placeKey(place);
      const made = (): Watches =>
        createWatches({
          server: () => pool.at(upstream, place.client),
          idleMs: upstream.idleMs,
          onEmpty: () => watches.delete(key),
        });
      const entry = watches.get(key) ?? { ...place, watches: made() };
      watches.set(key, entry);
      return entry.watches.add(uri, onUpdated);
    },

    facts: ({ hash }) => pool.facts(hash),
    restart: (upstream) => pool.stop(({ hash }) => hash === upstream.hash),
    retain(hashes) {
      discovery.retain(hashes);
      endWatches(({ hash }) => !hashes.has(hash));
      return pool.stop(({ hash }) => !hashes.has(hash));
    },

    clientGone(client) {
      conversations.clientGone(client);
      endWatches((each) => each.client === client);
      void pool.stop((each) => each.client === client);
    },

    async close() {
      discovery.close();
      endWatches(() => true);
      conversations.close();
      await pool.close();
      await options.processes.settled();
    },
  };
}
