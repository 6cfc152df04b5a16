const HEARTBEAT_MS = 15_000;
const RETRY_MS = 1000;
/** How many events are buffered for a slow reader before the source has to wait. */
const BUFFERED = 16;

export interface EventStreamOptions {
  /** Any of them ends the stream. */
  signals: readonly AbortSignal[];
  onError: (error: unknown) => void;
  /** The data of a last event `error` after a failure. Without it the stream just ends. */
  lastWords?: (error: unknown) => object;
  heartbeatMs?: number;
}

/**
 * Events as `text/event-stream`. `open` is called at once, with a signal that aborts when either side ends the stream;
 * its events are pulled only as fast as they are read.
 */
export function eventStream(
  open: (signal: AbortSignal) => AsyncIterable<unknown>,
  { signals, onError, lastWords, heartbeatMs = HEARTBEAT_MS }: EventStreamOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const ended = new AbortController();
  const end = (): void => ended.abort();
  let cancelled = false;
  let wake = nothing;

  const pump = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    for await (const event of open(ended.signal)) {
      if (ended.signal.aborted) return;
      controller.enqueue(encoder.encode(renderEvent(event)));
      if (!hasRoom(controller)) await new Promise<void>((resolve) => (wake = resolve));
    }
  };

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // Pending data keeps the connection alive; a slow reader needs no heartbeat.
        const heartbeat = setInterval(() => {
          if (hasRoom(controller)) controller.enqueue(encoder.encode(':\n\n'));
        }, heartbeatMs);
        // The reader does not wait for a slow source.
        ended.signal.addEventListener('abort', () => {
          clearInterval(heartbeat);
          for (const signal of signals) signal.removeEventListener('abort', end);
          wake();
          if (!cancelled) controller.close();
        });
        controller.enqueue(encoder.encode(`retry: ${RETRY_MS}\n\n`));
        for (const signal of signals) signal.addEventListener('abort', end);
        if (signals.some((signal) => signal.aborted)) return end();
        void pump(controller)
          .catch((error: unknown) => {
            if (ended.signal.aborted) return;
            onError(error);
            if (!lastWords) return;
            controller.enqueue(encoder.encode(`event: error\ndata: ${JSON.stringify(lastWords(error))}\n\n`));
          })
          .finally(end);
      },
      pull: () => wake(),
      cancel() {
        cancelled = true;
        end();
      },
    },
    { highWaterMark: BUFFERED },
  );
}

const nothing = (): void => {};

const hasRoom = ({ desiredSize }: ReadableStreamDefaultController<Uint8Array>): boolean =>
  (desiredSize ?? 0) > 0;

function renderEvent(event: unknown): string {
  const data = `data: ${JSON.stringify(event)}\n\n`;
  if (typeof event !== 'object' || event === null) return data;
  const type = 'type' in event && typeof event.type === 'string' ? `event: ${event.type}\n` : '';
  const id = 'seq' in event && typeof event.seq === 'number' ? `id: ${event.seq}\n` : '';
  return id + type + data;
}
