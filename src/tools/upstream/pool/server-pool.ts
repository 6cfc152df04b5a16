import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import { ZooError } from '../../../contract/errors.ts';
import type { Processes } from '../../../platform/processes/processes.ts';
import { abortError } from '../calls/abort-error.ts';
import { callFailure, isBroken, isUndone, named } from '../calls/call-failure.ts';
import type { Link } from '../connection/link.ts';
import { describeError, missingVariables } from '../diagnosis.ts';
import type { Upstream } from '../upstream.ts';
import type { Discovery } from './discovery.ts';
import { createSlots } from './slots.ts';
import {
  createUpstreamServer,
  type ServerFacts,
  ServerStopped,
  type UpstreamServer,
} from './upstream-server.ts';

const START_MS = 60_000;
/** Servers that were started only to read their lists are kept briefly; unshared ones hardly at all. */
const LOOK_IDLE_MS = 60_000;
const UNSHARED_IDLE_MS = 1000;
/** Starting fifty processes at once would be slower than a few at a time. One that hangs does not block the rest. */
const LOOKS_AT_ONCE = 8;
const LOOK_HOLD_MS = 2000;
/** How many server restarts a call tolerates while it waits for the server to start. */
const MAX_RESTARTS = 3;

/** A server for one client; the empty client stands for all that share it. */
export interface Place {
  hash: string;
  client: string;
}

/** The running processes and connections: one per launch, or per client where a server is not shared. */
export interface ServerPool {
  /** The current server for a client. Not started before it is leased. */
  at(upstream: Upstream, client: string): UpstreamServer;
  /** Runs a request on a working connection. One that certainly had no effect is retried once on another. */
  send<T>(
    upstream: Upstream,
    client: string,
    signal: AbortSignal,
    work: (link: Link) => Promise<T>,
  ): Promise<T>;
  /** Starts it and refreshes its lists; throws if that fails. */
  look(upstream: Upstream): Promise<void>;
  /** The same, with a limit on how many processes start at once. */
  lookInTurn(upstream: Upstream): Promise<void>;
  facts(hash: string): ServerFacts[];
  stop(which: (place: Place) => boolean): Promise<void>;
  /** Stops all of them and starts no more, including those still queued. */
  close(): Promise<void>;
}

export interface ServerPoolOptions {
  processes: Pick<Processes, 'start'>;
  /** Nothing is started before this resolves. */
  ready: Promise<void>;
  now(): number;
  discovery: Pick<Discovery, 'peek' | 'refresh' | 'noteAsks'>;
  /** Rejects if the server may not run (any more): the last check before it is started or reached. */
  admit(upstream: Upstream): Promise<void>;
  /** Credentials from a sign-in; null if there was none. */
  auth(upstream: Upstream): Promise<OAuthClientProvider | null>;
  onResourceUpdated(place: Place, uri: string): void;
  /** A server with this launch has started, stopped or failed. */
  onState(hash: string): void;
}

export function createServerPool(options: ServerPoolOptions): ServerPool {
  const { discovery, now } = options;
  const servers = new Map<string, Place & { server: UpstreamServer }>();
  /** Refreshes in progress. */
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
      onState: () => options.onState(upstream.hash),
      async open(signal) {
        if (closed) throw hubIsStopping();
        return openServer(upstream, signal, options, {
          onListsChanged: (link) => void refresh(upstream, link, server).catch(() => undefined),
          onResourceUpdated: (uri) => options.onResourceUpdated(place, uri),
        });
      },
      onOpen(link) {
        const known = discovery.peek(upstream.hash);
        // An unshared server starts once per client; its lists were read when the first one started.
        if (!upstream.shared && known && client !== '') return;
        void refresh(upstream, link, server).catch(() => undefined);
      },
    });
    servers.set(key, { ...place, server });
    return server;
  }

  function refresh(upstream: Upstream, link: Link, server: UpstreamServer): Promise<void> {
    const running = discovery
      .refresh(upstream, link)
      .catch((error: unknown) => {
        server.complain(`its lists could not be read: ${describeError(error, upstream.launch)}`);
        throw error;
      })
      .finally(() => refreshes.delete(link));
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

  const send = createSender(at, () => closed);

  return {
    at,
    look,
    lookInTurn: (upstream) =>
      upstream.launch.kind === 'http' ? look(upstream) : slots.during(() => look(upstream)),

    send,

    facts: (hash) =>
      [...servers.values()].filter((each) => each.hash === hash).map(({ server }) => server.facts()),

    stop,
    async close() {
      closed = true;
      await stop(() => true);
    },
  };
}

/** Sends requests to servers, and repeats those that certainly had no effect. */
function createSender(at: ServerPool['at'], isClosed: () => boolean): ServerPool['send'] {
  /** Looks the server up again for each attempt: a restart replaces it. */
  async function leaseFor(upstream: Upstream, client: string, signal: AbortSignal) {
    for (let restarts = 0; ; restarts += 1) {
      const server = at(upstream, client);
      try {
        return { server, lease: await server.lease(upstream.idleMs, signal) };
      } catch (error) {
        if (isClosed()) throw hubIsStopping();
        if (!(error instanceof ServerStopped) || restarts >= MAX_RESTARTS) throw error;
      }
    }
  }

  return async (upstream, client, signal, work) => {
    for (let retried = false; ; retried = true) {
      const { server, lease } = await leaseFor(upstream, client, signal);
      try {
        const answer = await work(lease.link);
        server.worked();
        return answer;
      } catch (error) {
        if (signal.aborted) throw abortError(signal);
        if (!retried && isUndone(error, upstream)) {
          server.drop(lease.link);
          continue;
        }
        const failure = await callFailure(error, upstream, lease.link);
        // HTTP does not report a lost connection; the next call opens a new one.
        if (isBroken(error, upstream)) {
          server.complain(failure.message);
          server.drop(lease.link);
        }
        throw failure;
      } finally {
        lease.release();
      }
    }
  };
}

interface ServerEvents {
  onListsChanged(link: Link): void;
  onResourceUpdated(uri: string): void;
}

async function openServer(
  upstream: Upstream,
  signal: AbortSignal,
  { ready, discovery, processes, auth, admit }: ServerPoolOptions,
  events: ServerEvents,
): Promise<Link> {
  const { hash, launch, missing, shared, timeoutMs } = upstream;
  if (missing.length > 0) throw new ZooError('tool_error', missingVariables(missing));
  await ready;
  await admit(upstream);
  const { openLink } = await import('../connection/open-link.ts');
  const known = discovery.peek(hash);
  const opening = openLink(launch, {
    processes,
    // A legacy server skips the probe for the newest revision, which some do not survive.
    era: known?.era === 'legacy' ? 'legacy' : null,
    asks: known?.asks ?? false,
    onAsks: () => discovery.noteAsks(hash),
    alone: !shared,
    timeoutMs: Math.min(timeoutMs, START_MS),
    signal,
    auth: await auth(upstream),
    onListsChanged: () => void opening.then(events.onListsChanged, () => undefined),
    onResourceUpdated: events.onResourceUpdated,
  });
  return opening.catch((error: unknown) => Promise.reject(named(error, upstream)));
}

const hubIsStopping = (): ZooError => new ZooError('tool_error', 'The hub is stopping.');

export function placeKey({ hash, client }: Place): string {
  return `${hash}\0${client}`;
}
