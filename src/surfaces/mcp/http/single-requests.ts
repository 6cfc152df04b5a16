import { createMcpHandler, InMemoryServerEventBus, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { CallContext } from '../../../contract/call.ts';
import type { Hub } from '../../../hub/hub.ts';
import type { Live } from '../changes/live.ts';
import { createResourceWatches, type ResourceWatches } from '../changes/resource-watches.ts';
import { noteWatched, parseListen } from '../changes/watch-changes.ts';
import { createServer } from '../serving/create-server.ts';
import type { McpLog } from '../serving/error-form.ts';
import type { RequestStates } from '../serving/request-state.ts';
import { type Exchange, JSON_HEADERS } from './exchange.ts';

const MAX_DOORS = 256;
const QUIET_MS = 60_000;

/** The newest revision: every request stands alone, and streams of changes are requests like all others. */
export interface SingleRequests {
  handle(exchange: Exchange, body: unknown, context: CallContext): Promise<void>;
  close(): Promise<void>;
}

export interface SingleRequestsOptions {
  live: Live;
  log: McpLog;
  statesFor: (context: CallContext) => RequestStates;
  maxBody: number;
}

/** What the callers of one workspace, or of one agent in it, share: the streams that tell them of changes. */
interface Door {
  handler: McpHttpHandler;
  bus: InMemoryServerEventBus;
  watched: Set<string>;
  watches: ResourceWatches;
  lastUsed: number;
  stopFollowing(): void;
  close(): Promise<void>;
}

export function createSingleRequests(hub: Hub, options: SingleRequestsOptions): SingleRequests {
  const doors = new Map<string, Door>();
  const contexts = new WeakMap<Request, CallContext>();

  function doorFor({ workspace, agent }: CallContext): Door {
    const key = `${workspace}\0${agent ?? ''}`;
    const known = doors.get(key);
    if (!known && doors.size >= MAX_DOORS) forgetQuiet(doors);
    const door = known ?? openDoor(hub, { workspace, agent }, contexts, options);
    door.lastUsed = performance.now();
    doors.set(key, door);
    return door;
  }

  return {
    async handle(exchange, body, context) {
      const { handler, watched, watches } = doorFor(context);
      noteWatched(watched, body);
      const request = toRequest(exchange);
      contexts.set(request, context);
      const response = await handler.fetch(request, { parsedBody: body });
      if (response.ok) watchDuring(exchange, parseListen(body)?.uris ?? [], context, watches);
      await send(response, exchange);
    },
    async close() {
      await Promise.all([...doors.values()].map((door) => door.close()));
    },
  };
}

function openDoor(
  hub: Hub,
  whom: { workspace: string; agent: string | null },
  contexts: WeakMap<Request, CallContext>,
  { live, log, statesFor, maxBody }: SingleRequestsOptions,
): Door {
  const bus = new InMemoryServerEventBus();
  const watched = new Set<string>();
  const watches = createResourceWatches(hub, log, (uri) => bus.publish({ kind: 'resource_updated', uri }));
  const handler = createMcpHandler(
    async ({ requestInfo }) => {
      const context = requestInfo && contexts.get(requestInfo);
      if (!context) throw new Error('a request has no context');
      return (await createServer(hub, context, { era: 'modern', states: statesFor(context), log })).server;
    },
    { legacy: 'reject', bus, maxRequestBodySize: maxBody },
  );
  const stopFollowing = live.follow(whom, ({ lists, affects }) => {
    for (const list of lists) bus.publish({ kind: `${list}_list_changed` });
    for (const uri of watched) if (affects(uri)) bus.publish({ kind: 'resource_updated', uri });
  });
  return {
    handler,
    bus,
    watched,
    watches,
    lastUsed: 0,
    stopFollowing,
    async close() {
      stopFollowing();
      watches.close();
      await handler.close();
    },
  };
}

/** Requests that such a door still answers go on; only new streams would need to hear of changes. */
function forgetQuiet(doors: Map<string, Door>): void {
  for (const [key, door] of doors) {
    if (door.bus.listenerCount > 0 || performance.now() - door.lastUsed < QUIET_MS) continue;
    doors.delete(key);
    door.stopFollowing();
  }
}

/** The SDK looks at these headers and no others. */
const HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

function toRequest({ method, url, headers, signal }: Exchange): Request {
  const given = HEADERS.flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  return new Request(`http://localhost${url}`, { method, headers: given, signal });
}

/** Watches upstream resources for as long as a stream is open. */
function watchDuring(
  exchange: Exchange,
  uris: readonly string[],
  context: CallContext,
  watches: ResourceWatches,
): void {
  if (uris.length === 0) return;
  for (const uri of uris) watches.add(uri, context);
  exchange.onClose(() => uris.forEach((uri) => watches.delete(uri)));
}

async function send(response: Response, exchange: Exchange): Promise<void> {
  const { status, body, headers } = response;
  if (headers.get('content-type') !== 'text/event-stream' || body === null) {
    return exchange.reply({ status, headers: { ...JSON_HEADERS }, body: await response.text() });
  }
  const stream = exchange.openStream();
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  exchange.onClose(() => void reader.cancel().catch(() => undefined));
  const decoder = new TextDecoder();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    stream.write(decoder.decode(next.value, { stream: true }));
  }
  stream.end();
}
