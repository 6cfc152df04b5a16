import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import { type CallContext, callerName } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { ToolCall } from '../../contract/tool.ts';
import type { Database } from '../../platform/database.ts';
import type { Environment } from '../../platform/paths.ts';
import { abortError } from './abort-error.ts';
import { callFailure, isBroken, isUndone, named } from './call-failure.ts';
import { type Conversation, createConversation, keysIn } from './conversation.ts';
import { describeError, missingVariables } from './diagnosis.ts';
import { createDiscovery } from './discovery.ts';
import type { Completion, Link, Listener, Request } from './link.ts';
import { createListStore, type Known } from './list-store.ts';
import type { ProcessRecords } from './process-records.ts';
import { createSlots } from './slots.ts';
import { createUpstreamServer, type ServerFacts, type UpstreamServer } from './upstream-server.ts';
import type { Upstream } from './upstream.ts';
import { createWatches, type Watches } from './watches.ts';

const START_MS = 60_000;
const ANSWER_MS = 600_000;
/** What was started only to be looked at is not kept for long; what is not shared, not at all. */
const LOOK_IDLE_MS = 60_000;
const UNSHARED_IDLE_MS = 1000;
/** Processes that are only looked at: fifty at once would be slower than a few at a time. One that hangs lets others pass. */
const LOOKS_AT_ONCE = 8;
const LOOK_HOLD_MS = 2000;

/** The servers behind the hub: their lists, and requests to them. Started when needed, shared where they may be. */
export interface Upstreams {
  /** In the order asked for; null for those that nobody has reached yet. Quick, but for a moment the first time. */
  known(upstreams: readonly Upstream[]): Promise<(Known | null)[]>;
  /** Waits a moment for those that were never seen. */
  arrive(upstreams: readonly Upstream[]): Promise<void>;
  /** Reads what is stored of them, for `peek`; starts nothing. */
  recall(upstreams: readonly Upstream[]): Promise<void>;
  request(upstream: Upstream, request: Request, call: ToolCall): Promise<Record<string, unknown>>;
  complete(upstream: Upstream, completion: Completion, context: CallContext): Promise<string[]>;
  /** Until the answer is called. The server runs for as long as somebody wants to hear of its resources. */
  watch(upstream: Upstream, uri: string, context: CallContext, onUpdated: () => void): () => void;
  /** One entry for each process or connection there is or was. */
  facts(upstream: Upstream): ServerFacts[];
  peek(upstream: Upstream): Known | null;
  /** Looks now, whatever is known already; throws what is wrong. */
  look(upstream: Upstream): Promise<void>;
  /** The same, a few at a time; what is wrong is in their facts. */
  lookAtAll(upstreams: readonly Upstream[]): Promise<void>;
  /** Ends its connections: the next call makes new ones. */
  restart(upstream: Upstream): Promise<void>;
  /** Ends all others: no config that may run names them any more. */
  retain(hashes: ReadonlySet<string>): Promise<void>;
  clientGone(client: string): void;
  close(): Promise<void>;
}

export interface UpstreamsOptions {
  db: Database;
  env: Environment;
  records: Pick<ProcessRecords, 'note' | 'settled'>;
  /** Nothing is started before. */
  ready: Promise<void>;
  now(): number;
  /** Whether servers that were never seen are started in order to be listed. */
  discover: boolean;
  onChanged(owners: (string | null)[]): void;
  onError(message: string, error: unknown): void;
  /** Who the user is at a server; null where it was never asked. */
  auth(upstream: Upstream): Promise<OAuthClientProvider | null>;
}

interface Held {
  conversation: Conversation;
  client: string;
  /** Who began it, and what it is about: nobody else may go on with it. */
  fingerprint: string;
}

export function createUpstreams(options: UpstreamsOptions): Upstreams {
  const { now } = options;
  const servers = new Map<string, { hash: string; client: string; server: UpstreamServer }>();
  const refreshes = new WeakMap<Link, Promise<void>>();
  const held = new Map<string, Held>();
  const watches = new Map<string, { hash: string; client: string; watches: Watches }>();
  const slots = createSlots(LOOKS_AT_ONCE, LOOK_HOLD_MS);
  const discovery = createDiscovery({
    ...options,
    store: createListStore(options.db),
    look: lookInTurn,
  });

  function serverFor(upstream: Upstream, client: string): UpstreamServer {
    const key = `${upstream.hash}\0${client}`;
    const found = servers.get(key);
    if (found) return found.server;
    const server: UpstreamServer = createUpstreamServer({
      name: upstream.name,
      now,
      open: (signal) =>
        open(upstream, signal, {
          onListsChanged: (link) => void refresh(upstream, link, server).catch(() => undefined),
          onResourceUpdated: (uri) => watches.get(key)?.watches.updated(uri),
        }),
      onOpen(link) {
        const known = discovery.peek(upstream.hash);
        // One client's server is started for each of them; what it offers was seen when the first one was.
        if (!upstream.shared && known && client !== '') return;
        void refresh(upstream, link, server).catch(() => undefined);
      },
    });
    servers.set(key, { hash: upstream.hash, client, server });
    return server;
  }

  async function open(
    upstream: Upstream,
    signal: AbortSignal,
    events: { onListsChanged(link: Link): void; onResourceUpdated(uri: string): void },
  ): Promise<Link> {
    const { hash, launch, missing, shared, timeoutMs } = upstream;
    if (missing.length > 0) throw new ZooError('tool_error', missingVariables(missing));
    await options.ready;
    const { openLink } = await import('./open-link.ts');
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
    const server = serverFor(upstream, '');
    const lease = await server.lease(idleMs, new AbortController().signal);
    try {
      await (refreshes.get(lease.link) ?? refresh(upstream, lease.link, server));
    } finally {
      lease.release();
    }
  }

  function lookInTurn(upstream: Upstream): Promise<void> {
    return upstream.launch.kind === 'http' ? look(upstream) : slots.during(() => look(upstream));
  }

  function endWatches(which: (each: { hash: string; client: string }) => boolean): void {
    for (const [key, each] of watches) {
      if (!which(each)) continue;
      watches.delete(key);
      each.watches.close();
    }
  }

  async function stopServers(which: (each: { hash: string; client: string }) => boolean): Promise<void> {
    const meant = [...servers].filter(([, each]) => which(each));
    for (const [key] of meant) servers.delete(key);
    await Promise.all(meant.map(([, { server }]) => server.stop()));
  }

  /** A request on a connection that works; one that certainly did nothing is made once more on another. */
  async function send<T>(
    upstream: Upstream,
    client: string,
    signal: AbortSignal,
    work: (link: Link) => Promise<T>,
  ): Promise<T> {
    const server = serverFor(upstream, upstream.shared ? '' : client);
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
  }

  function begin(upstream: Upstream, request: Request, { context }: ToolCall): Conversation {
    const client = clientOf(context);
    const run = (listener: Listener): Promise<Record<string, unknown>> =>
      send(upstream, client, listener.signal, (link) => link.request(request, listener));
    const conversation: Conversation = createConversation(run, {
      server: `The server '${upstream.name}'`,
      timeoutMs: upstream.timeoutMs,
      answerMs: ANSWER_MS,
      onOver: () => held.delete(conversation.key),
    });
    held.set(conversation.key, {
      conversation,
      client,
      fingerprint: fingerprintOf(upstream, request, context),
    });
    return conversation;
  }

  /** The one that these answers belong to; null for a call that is just beginning. */
  function resumed(
    upstream: Upstream,
    request: Request,
    { answered, context }: ToolCall,
  ): Conversation | null {
    const keys = answered ? keysIn(answered) : [];
    if (keys.length === 0) return null;
    for (const key of keys) {
      const found = held.get(key);
      if (!found?.conversation.isSuspended()) continue;
      if (found.fingerprint === fingerprintOf(upstream, request, context)) return found.conversation;
    }
    throw new ZooError(
      'tool_error',
      `The server '${upstream.name}' no longer waits for this answer: it came too late, or the hub was restarted. The call may have happened in part; make it again.`,
      { server: upstream.name, happened: 'maybe' },
    );
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
    look,
    async lookAtAll(upstreams) {
      await Promise.allSettled(upstreams.map(lookInTurn));
    },

    async request(upstream, request, call) {
      // For whether it asks, and what it speaks.
      await discovery.known([upstream], { wait: false });
      return (resumed(upstream, request, call) ?? begin(upstream, request, call)).attend(call);
    },

    complete: (upstream, completion, context) =>
      send(upstream, clientOf(context), context.signal, (link) => link.complete(completion, context.signal)),

    watch(upstream, uri, context, onUpdated) {
      const client = upstream.shared ? '' : clientOf(context);
      const key = `${upstream.hash}\0${client}`;
      const made = (): Watches =>
        createWatches({
          server: () => serverFor(upstream, client),
          idleMs: upstream.idleMs,
          onEmpty: () => watches.delete(key),
        });
      const entry = watches.get(key) ?? { hash: upstream.hash, client, watches: made() };
      watches.set(key, entry);
      return entry.watches.add(uri, onUpdated);
    },

    facts: ({ hash }) =>
      [...servers.values()].filter((each) => each.hash === hash).map(({ server }) => server.facts()),

    restart: (upstream) => stopServers(({ hash }) => hash === upstream.hash),
    retain(hashes) {
      discovery.retain(hashes);
      endWatches(({ hash }) => !hashes.has(hash));
      return stopServers(({ hash }) => !hashes.has(hash));
    },

    clientGone(client) {
      const gone = new ZooError('tool_error', 'The client has gone.');
      for (const each of held.values()) if (each.client === client) each.conversation.end(gone);
      endWatches((each) => each.client === client);
      void stopServers((each) => each.client === client);
    },

    async close() {
      discovery.close();
      endWatches(() => true);
      const over = new ZooError('tool_error', 'The hub is stopping. The call may have happened.');
      for (const { conversation } of held.values()) conversation.end(over);
      await Promise.all([...servers.values()].map(({ server }) => server.stop()));
      await options.records.settled();
    },
  };
}

/** Where a client has no connection of its own, whoever it is stands in for it. */
function clientOf(context: CallContext): string {
  return context.client ?? `${callerName(context)} ${context.workspace}`;
}

function fingerprintOf({ hash }: Upstream, request: Request, context: CallContext): string {
  return JSON.stringify([
    hash,
    callerName(context),
    context.workspace,
    context.agent,
    { ...request, inputSchema: null },
  ]);
}
