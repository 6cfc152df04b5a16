import * as z from 'zod';
import type { McpLog } from './error-form.ts';
import type { Live } from './live.ts';
import type { Served } from './served.ts';

/** Tells a connected client what has changed. The SDK sends it in the form of the era. Ends when called. */
export function tellChanges({ server, context, watched, log }: Served, live: Live): () => void {
  return live.follow(context, ({ lists, affects }) => {
    const sent: Promise<void>[] = [];
    if (lists.has('tools')) sent.push(server.sendToolListChanged());
    if (lists.has('prompts')) sent.push(server.sendPromptListChanged());
    if (lists.has('resources')) sent.push(server.sendResourceListChanged());
    for (const uri of watched) if (affects(uri)) sent.push(server.sendResourceUpdated({ uri }));
    for (const each of sent) each.catch((error: unknown) => reportUnlessGone(error, log));
  });
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
    if (watched.size < MAX_WATCHED) watched.add(uri);
  }
}
