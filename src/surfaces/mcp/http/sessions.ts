import { randomUUID } from 'node:crypto';
import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { CallContext } from '../../../contract/call.ts';
import type { Hub } from '../../../hub/hub.ts';
import { createServer } from '../serving/create-server.ts';
import type { McpLog } from '../serving/error-form.ts';
import type { Live } from '../changes/live.ts';
import { callerKey, type RequestStates } from '../serving/request-state.ts';
import { createResourceWatches } from '../changes/resource-watches.ts';
import { rpcError } from './rpc-error.ts';
import { tellChanges } from '../changes/watch-changes.ts';

export interface SessionLimits {
  max: number;
  /** A session without a stream that has not been used for so long is over. */
  idleMs: number;
}

const LIMITS: SessionLimits = { max: 1000, idleMs: 3_600_000 };
const SWEEP_MS = 60_000;

interface Session {
  transport: WebStandardStreamableHTTPServerTransport;
  owner: string;
  lastUsed: number;
  /** Requests and streams that are open. */
  open: number;
  isIdle(): boolean;
  /** Streams on which the client hears what it did not ask for. */
  streams: number;
  /** Called when there is one more. */
  onStream(): void;
  close(): Promise<void>;
}

/** Clients of 2025, each with a server of its own from its first message to its last. */
export interface Sessions {
  handle(request: Request, body: unknown, context: CallContext): Promise<Response>;
  size(): number;
  close(): Promise<void>;
}

export interface SessionsOptions {
  live: Live;
  log: McpLog;
  statesFor: (context: CallContext) => RequestStates;
  limits?: Partial<SessionLimits> | undefined;
}

export function createSessions(hub: Hub, { live, log, statesFor, limits }: SessionsOptions): Sessions {
  const { max, idleMs } = { ...LIMITS, ...limits };
  const sessions = new Map<string, Session>();
  const sweep = setInterval(() => endIdle(idleMs), Math.min(SWEEP_MS, idleMs)).unref();

  function endIdle(olderThan: number): void {
    const before = performance.now() - olderThan;
    for (const session of sessions.values()) {
      if (session.isIdle() && session.lastUsed <= before) void session.close();
    }
  }

  /** Makes room for one more, at the cost of the one that has been idle for longest. */
  function makeRoom(): boolean {
    if (sessions.size < max) return true;
    const idle = [...sessions.values()].filter((session) => session.isIdle());
    const oldest = idle.toSorted((a, b) => a.lastUsed - b.lastUsed)[0];
    if (oldest) void oldest.close();
    return oldest !== undefined;
  }

  async function begin(context: CallContext): Promise<Session> {
    const client = randomUUID();
    const watches = createResourceWatches(hub, log, (uri) => teller.updated(uri));
    const served = await createServer(
      hub,
      { ...context, client },
      { era: 'legacy', states: statesFor(context), log, watches },
    );
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, session),
    });
    // Before a client has opened its stream, and while it opens another, what it is told would be lost.
    const teller = tellChanges(served, live, () => session.streams > 0);
    const session: Session = {
      transport,
      owner: callerKey(context),
      lastUsed: performance.now(),
      open: 0,
      // A call goes on in its answer's stream, after its request has been taken.
      isIdle: () => session.open === 0 && served.running === 0,
      streams: 0,
      onStream: teller.catchUp,
      close: () => served.server.close(),
    };
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a server of the SDK is no event target
    served.server.onclose = () => {
      teller.stop();
      watches.close();
      hub.clientGone(client);
      if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
    };
    await served.server.connect(transport);
    return session;
  }

  async function pass(session: Session, request: Request, body: unknown): Promise<Response> {
    session.lastUsed = performance.now();
    session.open += 1;
    const done = (): void => {
      session.open -= 1;
      session.lastUsed = performance.now();
    };
    try {
      const response = await session.transport.handleRequest(request, { parsedBody: body });
      if (request.method !== 'GET' || response.status !== 200) return response;
      session.open += 1;
      session.streams += 1;
      request.signal.addEventListener('abort', () => {
        session.streams -= 1;
        done();
      });
      session.onStream();
      return response;
    } finally {
      done();
    }
  }

  return {
    async handle(request, body, context) {
      const id = request.headers.get('mcp-session-id');
      if (id !== null) {
        const session = sessions.get(id);
        // Somebody else's session is as good as none.
        if (!session || session.owner !== callerKey(context))
          return rpcError(404, -32_001, 'Session not found');
        return pass(session, request, body);
      }
      if (!isInitializeRequest(body)) {
        return rpcError(400, -32_000, 'Bad Request: begin with initialize, or send Mcp-Session-Id');
      }
      if (!makeRoom()) return rpcError(503, -32_000, `${max} sessions are open and in use; try again later`);
      const session = await begin(context);
      const response = await pass(session, request, body);
      // What was refused has begun nothing.
      if (session.transport.sessionId === undefined) await session.close();
      return response;
    },
    size: () => sessions.size,
    async close() {
      clearInterval(sweep);
      await Promise.all([...sessions.values()].map((session) => session.close()));
    },
  };
}
