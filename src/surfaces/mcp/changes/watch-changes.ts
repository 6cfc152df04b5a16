import * as z from 'zod';
import type { CallContext } from '../../../contract/call.ts';
import { isClientGone } from '../serving/client-gone.ts';
import type { ListName, Live } from './live.ts';
import type { ResourceWatches } from './resource-watches.ts';
import type { Served } from '../serving/served.ts';

export interface Teller {
  /** Sends notifications that were held back while no stream was open. */
  catchUp(): void;
  /** Reports a change that did not come through `live`. */
  updated(uri: string): void;
  stop(): void;
}

/** Notifies a connected client of changes; the SDK knows the form for its revision. */
export function tellChanges(
  { server, context, watched, log, toolsOnly }: Served,
  live: Live,
  isListening: () => boolean = () => true,
): Teller {
  const lists = new Set<ListName>();
  const uris = new Set<string>();
  const send = {
    tools: () => server.sendToolListChanged(),
    prompts: () => server.sendPromptListChanged(),
    resources: () => server.sendResourceListChanged(),
  };
  const catchUp = (): void => {
    if (!isListening()) return;
    const sent = [...lists].map((list) => send[list]());
    for (const uri of uris) if (watched.has(uri)) sent.push(server.sendResourceUpdated({ uri }));
    for (const each of sent) {
      each.catch((error: unknown) => {
        if (!isClientGone(error)) log.error('notification failed', { error });
      });
    }
    lists.clear();
    uris.clear();
  };
  const stop = live.follow(context, (change) => {
    for (const list of change.lists) if (!toolsOnly || list === 'tools') lists.add(list);
    for (const uri of watched) if (change.affects(uri)) uris.add(uri);
    catchUp();
  });
  const updated = (uri: string): void => {
    uris.add(uri);
    catchUp();
  };
  return { catchUp, updated, stop };
}

const MAX_WATCHED = 10_000;
const LISTEN = 'subscriptions/listen';
const CANCELLED = 'notifications/cancelled';
const methodOf = (message: unknown): unknown =>
  typeof message === 'object' && message !== null && 'method' in message ? message.method : null;

const Listen = z.looseObject({
  method: z.literal(LISTEN),
  id: z.union([z.string(), z.number()]),
  params: z.looseObject({
    notifications: z.looseObject({ resourceSubscriptions: z.array(z.string()).optional() }),
  }),
});

/**
 * Records which resources a client of the newest revision listens for. The SDK does not expose them and compares
 * whole addresses; with filters there are too many to announce without being asked.
 */
export function noteWatched(watched: Set<string>, message: unknown): void {
  for (const uri of parseListen(message)?.uris ?? []) {
    watched.delete(uri);
    watched.add(uri);
    const [oldest] = watched;
    if (watched.size > MAX_WATCHED && oldest !== undefined) watched.delete(oldest);
  }
}

/** The resources of a `subscriptions/listen` request; null for any other message. */
export function parseListen(message: unknown): { id: string | number; uris: string[] } | null {
  // Checked for every message, so the cheap test comes first.
  if (methodOf(message) !== LISTEN) return null;
  const { data } = Listen.safeParse(message);
  return data ? { id: data.id, uris: data.params.notifications.resourceSubscriptions ?? [] } : null;
}

const Cancelled = z.looseObject({
  method: z.literal(CANCELLED),
  params: z.looseObject({ requestId: z.union([z.string(), z.number()]) }),
});

/** Tracks subscriptions on a connection of the newest revision: each starts and ends with a message. */
export function followListens(watches: ResourceWatches, context: CallContext): (message: unknown) => void {
  const streams = new Map<string | number, readonly string[]>();
  return (message) => {
    const listen = parseListen(message);
    if (listen && !streams.has(listen.id)) {
      streams.set(listen.id, listen.uris);
      for (const uri of listen.uris) watches.add(uri, context);
    }
    if (methodOf(message) !== CANCELLED) return;
    const id = Cancelled.safeParse(message).data?.params.requestId;
    if (id === undefined) return;
    for (const uri of streams.get(id) ?? []) watches.delete(uri);
    streams.delete(id);
  };
}
