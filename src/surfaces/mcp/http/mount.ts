import {
  createMcpHandler,
  InMemoryServerEventBus,
  isJsonContentType,
  isLegacyRequest,
  type McpHttpHandler,
  readRequestBody,
} from '@modelcontextprotocol/server';
import type { CallContext } from '../../../contract/call.ts';
import type { Hub } from '../../../hub/hub.ts';
import { createServer } from '../serving/create-server.ts';
import type { McpLog } from '../serving/error-form.ts';
import { rpcError } from './rpc-error.ts';
import { createLive } from '../changes/live.ts';
import { createRequestStates } from '../serving/request-state.ts';
import { createResourceWatches, type ResourceWatches } from '../changes/resource-watches.ts';
import { createSessions, type SessionLimits } from './sessions.ts';
import { noteWatched, parseListen } from '../changes/watch-changes.ts';

const MAX_BODY = 4 * 1024 * 1024;
const MAX_DOORS = 256;
const QUIET_MS = 60_000;
const METHODS = ['POST', 'GET', 'DELETE'];

export interface McpMountOptions {
  log: McpLog;
  sessions?: Partial<SessionLimits>;
}

/** MCP over HTTP, behind a server that has looked at the address and knows the caller. */
export interface McpMount {
  handle: (request: Request, context: CallContext) => Promise<Response>;
  close(): Promise<void>;
}

/** What the callers of one workspace, or of one agent in it, share: the streams that tell them of changes. */
interface Door {
  handler: McpHttpHandler;
  bus: InMemoryServerEventBus;
  watched: Set<string>;
  watches: ResourceWatches;
  lastUsed: number;
  forget(): void;
  close(): Promise<void>;
}

/**
 * The newest revision is answered request by request. Those of 2025 get sessions: without one, a client would hear of
 * no change and could not be asked anything.
 */
export function createMcpMount(hub: Hub, { log, sessions: limits }: McpMountOptions): McpMount {
  const live = createLive(hub, log);
  const statesFor = createRequestStates();
  const sessions = createSessions(hub, { live, log, statesFor, limits });
  const doors = new Map<string, Door>();
  const contexts = new WeakMap<Request, CallContext>();

  function doorFor({ workspace, agent }: CallContext): Door {
    const key = `${workspace}\0${agent ?? ''}`;
    const known = doors.get(key);
    if (!known && doors.size >= MAX_DOORS) forgetQuiet();
    const door = known ?? openDoor({ workspace, agent });
    door.lastUsed = performance.now();
    doors.set(key, door);
    return door;
  }

  function forgetQuiet(): void {
    for (const [key, door] of doors) {
      if (door.bus.listenerCount > 0 || performance.now() - door.lastUsed < QUIET_MS) continue;
      doors.delete(key);
      // What it still answers goes on; only new streams would need to be told of changes.
      door.forget();
    }
  }

  function openDoor(whom: { workspace: string; agent: string | null }): Door {
    const bus = new InMemoryServerEventBus();
    const watched = new Set<string>();
    const watches = createResourceWatches(hub, log, (uri) => bus.publish({ kind: 'resource_updated', uri }));
    const handler = createMcpHandler(
      async ({ requestInfo }) => {
        const context = requestInfo && contexts.get(requestInfo);
        if (!context) throw new Error('a request came without its context');
        return (await createServer(hub, context, { era: 'modern', states: statesFor(context), log })).server;
      },
      { legacy: 'reject', bus, maxRequestBodySize: MAX_BODY },
    );
    const unfollow = live.follow(whom, ({ lists, affects }) => {
      for (const list of lists) bus.publish({ kind: `${list}_list_changed` });
      for (const uri of watched) if (affects(uri)) bus.publish({ kind: 'resource_updated', uri });
    });
    return {
      handler,
      bus,
      watched,
      watches,
      lastUsed: 0,
      forget: unfollow,
      async close() {
        unfollow();
        watches.close();
        await handler.close();
      },
    };
  }

  return {
    async handle(request, context) {
      // Throws when there is none, while that can still be said in the terms of HTTP.
      if (context.agent !== null) await hub.operations.getAgent({ id: context.agent }, context);
      if (!METHODS.includes(request.method)) {
        return rpcError(405, -32_000, 'Method not allowed.', { allow: METHODS.join(', ') });
      }
      const parsed = await readBody(request);
      if (parsed instanceof Response) return parsed;
      if (await isLegacyRequest(request, parsed)) return sessions.handle(request, parsed, context);
      const { handler, watched, watches } = doorFor(context);
      noteWatched(watched, parsed);
      contexts.set(request, context);
      const answer = await handler.fetch(request, { parsedBody: parsed });
      if (answer.ok) watchDuring(request, parseListen(parsed)?.uris ?? [], context, watches);
      return answer;
    },
    async close() {
      live.close();
      await Promise.all([sessions.close(), ...[...doors.values()].map((door) => door.close())]);
    },
  };
}

/** A stream is over when its request is. */
function watchDuring(
  { signal }: Request,
  uris: readonly string[],
  context: CallContext,
  watches: ResourceWatches,
): void {
  if (uris.length === 0 || signal.aborted) return;
  for (const uri of uris) watches.add(uri, context);
  signal.addEventListener('abort', () => uris.forEach((uri) => watches.delete(uri)), { once: true });
}

/** The JSON of a request, once for everybody; undefined where there can be none. */
async function readBody(request: Request): Promise<unknown> {
  if (request.method !== 'POST') return undefined;
  if (!isJsonContentType(request.headers.get('content-type'))) {
    return rpcError(415, -32_000, 'Unsupported Media Type: Content-Type must be application/json');
  }
  const declared = Number(request.headers.get('content-length') ?? Number.NaN);
  // HTTP itself holds a body to its declared length; a stream costs more than all of the rest of a small request.
  const body =
    declared <= MAX_BODY
      ? { tooLarge: false as const, text: await request.text() }
      : await readRequestBody(request, MAX_BODY);
  if (body.tooLarge) return rpcError(413, -32_000, `The body is larger than ${MAX_BODY} bytes`);
  try {
    return JSON.parse(body.text);
  } catch {
    return rpcError(400, -32_700, 'Parse error: the request body is not valid JSON');
  }
}
