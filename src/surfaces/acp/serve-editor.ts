import type { CallContext } from '../../contract/call.ts';
import type { Hub } from '../../hub/hub.ts';
import type { Log } from '../../platform/home/log.ts';
import type { EditorStreams } from './editor-streams.ts';

/** Serves ACP to one editor until either side closes the connection. The SDK is loaded on the first connection. */
export function serveEditor(
  hub: Hub,
  context: CallContext,
  streams: EditorStreams,
  { log }: { log: Pick<Log, 'error'> },
): { closed: Promise<void>; close(): Promise<void> } {
  const connecting = import('./editor-connection.ts').then(({ connectEditor }) =>
    connectEditor(hub, context, streams, (message, error) =>
      log.error(message, error === null ? {} : { error }),
    ),
  );
  const closed = connecting.then((connection) => connection.closed);
  return {
    closed,
    async close() {
      (await connecting).close();
      await closed;
    },
  };
}
