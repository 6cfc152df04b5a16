import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import { ZooError } from '../../../contract/errors.ts';
import type { Environment } from '../../../platform/home/paths.ts';
import { abortError } from '../calls/abort-error.ts';
import { callFailure, isBroken, isUndone, named } from '../calls/call-failure.ts';
import { describeError, missingVariables } from '../diagnosis.ts';
import type { Discovery } from './discovery.ts';
import type { Link } from '../connection/link.ts';
import type { ProcessRecords } from '../../../platform/processes/process-records.ts';
import { createSlots } from './slots.ts';
import { createUpstreamServer, type ServerFacts, type UpstreamServer } from './upstream-server.ts';
import type { Upstream } from '../upstream.ts';

const START_MS = 60_000;
/** What was started only to be looked at is not kept for long; what is not shared, not at all. */
const LOOK_IDLE_MS = 60_000;
const UNSHARED_IDLE_MS = 1000;
/** Processes that are only looked at: fifty at once would be slower than a few at a time. One that hangs lets others pass. */
const LOOKS_AT_ONCE = 8;
const LOOK_HOLD_MS = 2000;

/** Which server, and for which client; the empty one stands for all that share it. */
export interface Place {
  hash: string;
  client: string;
}

/** The processes and connections there are: one for each launch, or for each client where it is not shared. */
export interface ServerPool {
  /** The one that is there now. Not started before somebody leases it. */
  at(upstream: Upstream, client: string): UpstreamServer;
  /** A request on a connection that works; one that certainly did nothing is made once more on another. */
  send<T>(
    upstream: Upstream,
    client: string,
    signal: AbortSignal,
    work: (link: Link) => Promise<T>,
  ): Promise<T>;
  /** Has it started and its lists refreshed; throws what is wrong. */
  look(upstream: Upstream): Promise<void>;
  /** The same, when it is its turn: processes are begun a few at a time. */
  lookInTurn(upstream: Upstream): Promise<void>;
  facts(hash: string): ServerFacts[];
  stop(which: (place: Place) => boolean): Promise<void>;
  /** Ends all of them; nothing is started any more, those whose turn comes now among them. */
  close(): Promise<void>;
}

export interface ServerPoolOptions {
  env: Environment;
  records: Pick<ProcessRecords, 'note'>;
  /** Nothing is started before. */
  ready: Promise<void>;
  now(): number;
  discovery: Pick<Discovery, 'peek' | 'refresh' | 'noteAsks'>;
  /** Who the user is at a server; null where it was never asked. */
  auth(upstream: Upstream): Promise<OAuthClientProvider | null>;
  onResourceUpdated(place: Place, uri: string): void;
}

export function createServerPool(options: ServerPoolOptions): ServerPool {
  const { discovery, now } = options;
  const servers = new Map<string, Place & { server: UpstreamServer }>();
  const refreshes = new WeakMap<Link, Promise<void>>();
  const slots = createSlots(LOOKS_AT_ONCE, LOOK_HOLD_MS);
  let closed = false;

  function at(upstream: Upstream, client: string): UpstreamServer {
    const place: Place = { hash: upstream.hash, client: upstream.shared ? '' : client };
    const key = placeKey(place);
    const found = servers.get(key);
    if (found) return found.server;
    const server: UpstreamServer = createUpstreamServer({
      name: upstream.name,
      now,
      open: (signal) =>
        open(upstream, signal, {
          onListsChanged: (link) => void refresh(upstream, link, server).catch(() => undefined),
          onResourceUpdated: (uri) => options.onResourceUpdated(place, uri),
        }),
      onOpen(link) {
        const known = discovery.peek(upstream.hash);
        // One client's server is started for each of them; what it offers was seen when the first one was.
        if (!upstream.shared && known && client !== '') return;
        void refresh(upstream, link, server).catch(() => undefined);
      },
    });
    servers.set(key, { ...place, server });
    return server;
  }

  async function open(
    upstream: Upstream,
    signal: AbortSignal,
    events: { onListsChanged(link: Link): void; onResourceUpdated(uri: string): void },
  ): Promise<Link> {
    const { hash, launch, missing, shared, timeoutMs } = upstream;
    if (closed) throw new ZooError('tool_error', 'the hub is stopping.');
    if (missing.length > 0) throw new ZooError('tool_error', missingVariables(missing));
    await options.ready;
    const { openLink } = await import('../connection/open-link.ts');
    const known = discovery.peek(hash);
    const opening = openLink(launch, {
      env: options.env,
      records: options.records,
      // A server of 2025 may have learned the newest revision since; one that has it does not forget it.
      era: known?.era === 'legacy' ? 'legacy' : null,
      asks: known?.asks ?? false,
      onAsks: () => discovery.noteAsks(hash),
      alone: !shared,
      timeoutMs: Math.min(timeoutMs, START_MS),
      signal,
      auth: await options.auth(upstream),
      onListsChanged: () => void opening.then(events.onListsChanged, () => undefined),
      onResourceUpdated: events.onResourceUpdated,
    });
    return opening.catch((error: unknown) => Promise.reject(named(error, upstream)));
  }

  function refresh(upstream: Upstream, link: Link, server: UpstreamServer): Promise<void> {
    const running = discovery.refresh(upstream, link).catch((error: unknown) => {
      refreshes.delete(link);
      server.complain(`its lists could not be read: ${describeError(error, upstream.launch)}`);
      throw error;
    });
    refreshes.set(link, running);
    return running;
  }

  async function look(upstream: Upstream): Promise<void> {
    const idleMs = upstream.shared ? Math.min(upstream.idleMs, LOOK_IDLE_MS) : UNSHARED_IDLE_MS;
    const server = at(upstream, '');
    const lease = await server.lease(idleMs, new AbortController().signal);
    try {
      await (refreshes.get(lease.link) ?? refresh(upstream, lease.link, server));
    } finally {
      lease.release();
    }
  }

  async function stop(which: (place: Place) => boolean): Promise<void> {
    const meant = [...servers].filter(([, each]) => which(each));
    for (const [key] of meant) servers.delete(key);
    await Promise.all(meant.map(([, { server }]) => server.stop()));
  }

  return {
    at,
    look,
    lookInTurn: (upstream) =>
      upstream.launch.kind === 'http' ? look(upstream) : slots.during(() => look(upstream)),

    async send(upstream, client, signal, work) {
      const server = at(upstream, client);
      for (let attempt = 1; ; attempt += 1) {
        const lease = await server.lease(upstream.idleMs, signal);
        try {
          const answer = await work(lease.link);
          server.worked();
          return answer;
        } catch (error) {
          if (signal.aborted) throw abortError(signal);
          if (attempt === 1 && isUndone(error, upstream)) {
            server.drop(lease.link);
            continue;
          }
          const failure = await callFailure(error, upstream, lease.link);
          // Over HTTP nobody says that a connection is over; the next call begins with a new one.
          if (isBroken(error, upstream)) {
            server.complain(failure.message);
            server.drop(lease.link);
          }
          throw failure;
        } finally {
          lease.release();
        }
      }
    },

    facts: (hash) =>
      [...servers.values()].filter((each) => each.hash === hash).map(({ server }) => server.facts()),

    stop,
    async close() {
      closed = true;
      await stop(() => true);
    },
  };
}

export function placeKey({ hash, client }: Place): string {
  return `${hash}\0${client}`;
}
