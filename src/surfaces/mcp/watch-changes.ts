import * as z from 'zod';
import type { McpLog } from './error-form.ts';
import type { ListName, Live } from './live.ts';
import type { Served } from './served.ts';

export interface Teller {
  /** Tells what was kept back while nobody listened. */
  catchUp(): void;
  stop(): void;
}

/** Tells a connected client what has changed, in the form of its era, which the SDK knows. */
export function tellChanges(
  { server, context, watched, log }: Served,
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
    for (const each of sent) each.catch((error: unknown) => reportUnlessGone(error, log));
    lists.clear();
    uris.clear();
  };
  const stop = live.follow(context, (change) => {
    for (const list of change.lists) lists.add(list);
    for (const uri of watched) if (change.affects(uri)) uris.add(uri);
    catchUp();
  });
  return { catchUp, stop };
}

/** A client that has just gone is no failure. */
function reportUnlessGone(error: unknown, log: McpLog): void {
  const message = error instanceof Error ? error.message : String(error);
  if (!/closed|not connected/i.test(message)) log.error('a change could not be told', { error });
}

const MAX_WATCHED = 10_000;
const Listen = z.looseObject({
  method: z.literal('subscriptions/listen'),
  params: z.looseObject({
    notifications: z.looseObject({ resourceSubscriptions: z.array(z.string()).optional() }),
  }),
});

/**
 * Notes which resources a client of the newest revision listens for. The SDK keeps that to itself and compares
 * addresses as they are; with filters behind them there are more than could be announced unasked.
 */
export function noteWatched(watched: Set<string>, message: unknown): void {
  const listen = Listen.safeParse(message);
  for (const uri of listen.data?.params.notifications.resourceSubscriptions ?? []) {
    watched.delete(uri);
    watched.add(uri);
    const [oldest] = watched;
    if (watched.size > MAX_WATCHED && oldest !== undefined) watched.delete(oldest);
  }
}
