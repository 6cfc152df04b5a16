import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { CallContext } from '../../../contract/call.ts';
import type { Hub } from '../../../hub/hub.ts';
import { isClientGone } from '../serving/client-gone.ts';
import { createServer } from '../serving/create-server.ts';
import type { McpLog } from '../serving/error-form.ts';
import { createLive, type Live } from '../changes/live.ts';
import { LineTransport } from './line-transport.ts';
import { createRequestStates } from '../serving/request-state.ts';
import { createResourceWatches } from '../changes/resource-watches.ts';
import { followListens, noteWatched, tellChanges, type Teller } from '../changes/watch-changes.ts';

export interface ConnectionOptions {
  log: McpLog;
  /** Shared by the connections of a hub; a connection without one makes its own. */
  live?: Live;
}

export interface Connection {
  /** Resolves when the connection is closed. */
  closed: Promise<void>;
  close(): Promise<void>;
}

/** Serves MCP with one message per line over two streams, for clients of any revision. */
export function serveConnection(
  hub: Hub,
  from: CallContext,
  { input, output }: { input: Readable; output: Writable },
  { log, live: shared }: ConnectionOptions,
): Connection {
  const client = randomUUID();
  const context: CallContext = { ...from, client };
  const live = shared ?? createLive(hub, log);
  const states = createRequestStates()(context);
  const transport = new LineTransport(input, output);
  const watched = new Set<string>();
  const tellers: Teller[] = [];
  const watches = createResourceWatches(hub, log, (uri) => {
    for (const teller of tellers) teller.updated(uri);
  });
  const follow = followListens(watches, context);

  const handle = serveStdio(
    async ({ era }) => {
      const served = await createServer(hub, context, { era, states, log, watched, watches });
      tellers.push(tellChanges(served, live));
      return served.server;
    },
    {
      transport,
      onerror: (error) => {
        if (!isClientGone(error)) log.error('connection failed', { error });
      },
    },
  );
  const deliver = transport.onmessage;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- SDK transports are not event targets
  transport.onmessage = (message) => {
    noteWatched(watched, message);
    follow(message);
    deliver?.(message);
  };
  const closed = new Promise<void>((resolve) => {
    const end = transport.onclose;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- SDK transports are not event targets
    transport.onclose = () => {
      end?.();
      for (const teller of tellers) teller.stop();
      watches.close();
      hub.clientGone(client);
      if (!shared) live.close();
      resolve();
    };
  });
  return { closed, close: () => handle.close().then(() => closed) };
}
