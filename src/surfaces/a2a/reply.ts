import { formatSSEErrorEvent, formatSSEEvent, SSE_HEADERS } from '@a2a-js/sdk';

export function jsonReply(body: unknown, status = 200, type = 'application/json'): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': type } });
}

export interface StreamReply<T> {
  items: AsyncGenerator<T, void, undefined>;
  render(item: T): unknown;
  /** The last event of a failed stream. */
  renderError(error: unknown): unknown;
  /** The client has disconnected. */
  stop(): void;
}

/** Server-sent events. Waits for the first item, so that an earlier failure rejects instead of opening a stream. */
export async function streamReply<T>({
  items,
  render,
  renderError,
  stop,
}: StreamReply<T>): Promise<Response> {
  const encoder = new TextEncoder();
  let next = await items.next();
  let isGone = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        if (next.done) return controller.close();
        controller.enqueue(encoder.encode(formatSSEEvent(render(next.value))));
        next = await items.next();
        if (next.done && !isGone) controller.close();
      } catch (error) {
        if (isGone) return;
        controller.enqueue(encoder.encode(formatSSEErrorEvent(renderError(error))));
        controller.close();
      }
    },
    cancel() {
      isGone = true;
      stop();
    },
  });
  return new Response(body, { headers: SSE_HEADERS });
}
