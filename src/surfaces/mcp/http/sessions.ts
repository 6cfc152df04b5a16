import { randomUUID } from 'node:crypto';
import { isInitializeRequest } from '@modelcontextprotocol/server';
import type { CallContext } from '../../../contract/call.ts';
import type { Hub } from '../../../hub/hub.ts';
import type { Live } from '../changes/live.ts';
import { createResourceWatches } from '../changes/resource-watches.ts';
import { tellChanges } from '../changes/watch-changes.ts';
import { createServer } from '../serving/create-server.ts';
import type { McpLog } from '../serving/error-form.ts';
import type { CallMessage } from '../serving/call-request.ts';
import { createSessionCalls } from '../serving/session-calls.ts';
import { contextKey, type RequestStates } from '../serving/request-state.ts';
import { type Exchange, replyError } from './exchange.ts';
import { SessionTransport } from './session-transport.ts';

export interface SessionLimits {
  max: number;
  /** How many sessions a token that is bound to an agent may have. */
  perToken: number;
  /** A session is closed after this time without an open request or stream. */
  idleMs: number;
}

const LIMITS: SessionLimits = { max: 1000, perToken: 100, idleMs: 3_600_000 };
const SWEEP_MS = 60_000;

interface Session {
  transport: SessionTransport;
  /** Only the same caller, with the same workspace and agent, may use it. */
  owner: string;
  /** The id of a bound token; null for the operator. */
  token: string | null;
  lastUsed: number;
  /** Called when the client has opened its stream. */
  onStream(): void;
  close(): Promise<void>;
}

/** Clients of the 2025 revisions, each with a server of its own from its first message to its last. */
export interface Sessions {
  handle(exchange: Exchange, body: unknown, call: CallMessage | null, context: CallContext): Promise<void>;
  close(): Promise<void>;
}

export interface SessionsOptions {
  live: Live;
  log: McpLog;
  statesFor: (context: CallContext) => RequestStates;
  limits?: Partial<SessionLimits> | undefined;
}

export function createSessions(hub: Hub, options: SessionsOptions): Sessions {
  const limits = { ...LIMITS, ...options.limits };
  const sessions = new Map<string, Session>();
  const sweep = setInterval(
    () => closeIdle(sessions, limits.idleMs),
    Math.min(SWEEP_MS, limits.idleMs),
  ).unref();
  const stopWatching = hub.onTokenRevoked((tokenId) => {
    for (const session of sessions.values()) if (session.token === tokenId) void session.close();
  });

  async function initialize(exchange: Exchange, body: unknown, context: CallContext): Promise<void> {
    if (!isInitializeRequest(body)) {
      return replyError(exchange, 400, -32_000, 'Bad Request: send initialize first, or Mcp-Session-Id');
    }
    if (!makeRoom([...sessions.values()], tokenOf(context), limits)) {
      return replyError(exchange, 503, -32_000, 'Too many open sessions; close one or try again later');
    }
    const session = await openSession(hub, context, options, sessions);
    session.transport.post(exchange, body, null);
    // A refused request has not started the session.
    if (session.transport.sessionId === undefined) await session.close();
  }

  return {
    async handle(exchange, body, call, context) {
      const id = exchange.headers.get('mcp-session-id');
      if (id === null) return initialize(exchange, body, context);
      const session = sessions.get(id);
      // A session of another caller is reported as missing.
      if (!session || session.owner !== contextKey(context)) {
        return replyError(exchange, 404, -32_001, 'Session not found');
      }
      session.lastUsed = performance.now();
      if (exchange.method === 'POST') return session.transport.post(exchange, body, call);
      if (exchange.method === 'GET') return listen(session, exchange);
      await session.close();
      exchange.reply({ status: 200, headers: {}, body: '' });
    },
    async close() {
      clearInterval(sweep);
      stopWatching();
      await Promise.all([...sessions.values()].map((session) => session.close()));
    },
  };
}

async function openSession(
  hub: Hub,
  context: CallContext,
  { live, log, statesFor }: SessionsOptions,
  sessions: Map<string, Session>,
): Promise<Session> {
  const client = randomUUID();
  const watches = createResourceWatches(hub, log, (uri) => teller.updated(uri));
  const served = await createServer(
    hub,
    { ...context, client },
    { era: 'legacy', states: statesFor(context), log, watches },
  );
  const transport = new SessionTransport(randomUUID, (id) => sessions.set(id, session));
  const calls = createSessionCalls(served, (message) => transport.send(message));
  transport.calls = calls;
  // Notifications wait until the client has opened its stream; without one they would be lost.
  const teller = tellChanges(served, live, () => transport.hasStream);
  const session: Session = {
    transport,
    owner: contextKey(context),
    token: tokenOf(context),
    lastUsed: performance.now(),
    onStream: teller.catchUp,
    close: () => served.server.close(),
  };
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a server of the SDK is not an event target
  served.server.onclose = () => {
    calls.close();
    teller.stop();
    watches.close();
    hub.clientGone(client);
    if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
  };
  await served.server.connect(transport);
  return session;
}

function listen(session: Session, exchange: Exchange): void {
  const isOpen = session.transport.listen(exchange, () => {
    session.lastUsed = performance.now();
  });
  if (isOpen) session.onStream();
}

const tokenOf = ({ caller }: CallContext): string | null => ('tokenId' in caller ? caller.tokenId : null);

const isIdle = ({ transport }: Session): boolean => transport.open === 0;

function closeIdle(sessions: ReadonlyMap<string, Session>, idleMs: number): void {
  const before = performance.now() - idleMs;
  for (const session of sessions.values()) {
    if (isIdle(session) && session.lastUsed <= before) void session.close();
  }
}

/**
 * Makes room for one more session by closing an idle one. A bound token closes only its own; the operator
 * closes one of the caller that has the most.
 */
function makeRoom(sessions: readonly Session[], token: string | null, limits: SessionLimits): boolean {
  const own = sessions.filter((session) => session.token === token);
  if (token !== null && own.length >= limits.perToken) return closeOldest(own);
  if (sessions.length < limits.max) return true;
  return closeOldest(token === null ? largestGroup(sessions) : own);
}

function largestGroup(sessions: readonly Session[]): readonly Session[] {
  const groups = new Map<string | null, Session[]>();
  for (const session of sessions.filter(isIdle)) {
    const group = groups.get(session.token) ?? [];
    groups.set(session.token, group);
    group.push(session);
  }
  return [...groups.values()].toSorted((a, b) => b.length - a.length)[0] ?? [];
}

function closeOldest(sessions: readonly Session[]): boolean {
  const oldest = sessions.filter(isIdle).toSorted((a, b) => a.lastUsed - b.lastUsed)[0];
  if (oldest) void oldest.close();
  return oldest !== undefined;
}
