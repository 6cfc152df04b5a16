import {
  createMcpHandler,
  InMemoryServerEventBus,
  type McpHttpHandler,
  parseJSONRPCMessage,
} from '@modelcontextprotocol/server';
import type { CallContext } from '../../../contract/call.ts';
import type { Hub } from '../../../hub/hub.ts';
import type { Live } from '../changes/live.ts';
import { createResourceWatches, type ResourceWatches } from '../changes/resource-watches.ts';
import { noteWatched, parseListen } from '../changes/watch-changes.ts';
import { createServer } from '../serving/create-server.ts';
import type { McpLog } from '../serving/error-form.ts';
import type { RequestStates } from '../serving/request-state.ts';
import type { CallMessage } from '../serving/call-request.ts';
import type { OpenRound } from '../serving/tool-call.ts';
import { type Exchange, JSON_HEADERS } from './exchange.ts';
import { createSingleCalls } from './single-calls.ts';

const MAX_DOORS = 256;
const QUIET_MS = 60_000;

/** The newest revision: every request stands alone, and streams of changes are requests like all others. */
export interface SingleRequests {
  handle(exchange: Exchange, body: unknown, call: CallMessage | null, context: CallContext): Promise<void>;
  close(): Promise<void>;
}

/** The inputs of a server for a single request. */
interface Asked {
  context: CallContext;
  round?: OpenRound;
}

export interface SingleRequestsOptions {
  live: Live;
  log: McpLog;
  statesFor: (context: CallContext) => RequestStates;
  maxBody: number;
}

/** Change streams, shared by the callers of one workspace or of one agent in it. */
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
  const asked = new WeakMap<Request, Asked>();
  const calls = createSingleCalls(hub, options.log);

  function doorFor({ workspace, agent }: CallContext): Door {
    const key = `${workspace}\0${agent ?? ''}`;
    const known = doors.get(key);
    if (!known && doors.size >= MAX_DOORS) forgetQuiet(doors);
    const door = known ?? openDoor(hub, { workspace, agent }, asked, options);
    door.lastUsed = performance.now();
    doors.set(key, door);
    return door;
  }

  function respond(exchange: Exchange, body: unknown, { handler }: Door, from: Asked): Promise<Response> {
    const request = toRequest(exchange);
    asked.set(request, from);
    return handler.fetch(request, { parsedBody: body });
  }

  return {
    async handle(exchange, body, call, context) {
      const door = doorFor(context);
      if (call && calls.accepts(exchange, call)) {
        return calls.answer(exchange, call, context, async (round) => {
          const response = await respond(exchange, body, door, { context, round });
          return { status: response.status, message: parseJSONRPCMessage(await response.json()) };
        });
      }
      const { watched, watches } = door;
      noteWatched(watched, body);
      const response = await respond(exchange, body, door, { context });
      if (response.ok) watchDuring(exchange, parseListen(body)?.uris ?? [], context, watches);
      await send(response, exchange);
    },
    async close() {
      calls.close();
      await Promise.all([...doors.values()].map((door) => door.close()));
    },
  };
}

function openDoor(
  hub: Hub,
  whom: { workspace: string; agent: string | null },
  asked: WeakMap<Request, Asked>,
  { live, log, statesFor, maxBody }: SingleRequestsOptions,
): Door {
  const bus = new InMemoryServerEventBus();
  const watched = new Set<string>();
  const watches = createResourceWatches(hub, log, (uri) => bus.publish({ kind: 'resource_updated', uri }));
  const handler = createMcpHandler(
    async ({ requestInfo }) => {
      const from = requestInfo && asked.get(requestInfo);
      if (!from) throw new Error('a request has no context');
      const { context, round } = from;
      const options = { era: 'modern' as const, states: statesFor(context), log, ...(round && { round }) };
      return (await createServer(hub, context, options)).server;
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

/** Drops unused entries. Their pending requests continue; only new streams would miss changes. */
function forgetQuiet(doors: Map<string, Door>): void {
  for (const [key, door] of doors) {
    if (door.bus.listenerCount > 0 || performance.now() - door.lastUsed < QUIET_MS) continue;
    doors.delete(key);
    door.stopFollowing();
  }
}

/** The only headers that the SDK reads. */
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
