import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type McpSubscription, ProtocolError } from '@modelcontextprotocol/client';
import { retryDelay } from '../../../platform/processes/retry-delay.ts';

/** A stream that lasted this long was closed regularly, so the backoff starts again. */
const STEADY_MS = 60_000;

type Filter = Parameters<Client['listen']>[0];

export interface KeepListening {
  client: Pick<Client, 'listen'>;
  filter: Filter;
  /** A stream that is already open. */
  first?: McpSubscription | undefined;
  /** The stream is open again; changes in between were missed. */
  onAgain(): void;
  signal: AbortSignal;
}

/** Keeps a notification stream open. Resolves when the signal aborts, or when the server does not support it. */
export async function keepListening(options: KeepListening): Promise<void> {
  const { client, filter, first, onAgain, signal } = options;
  if (signal.aborted) void first?.close();
  let stream = first;
  let failures = 0;
  let missed = false;
  while (!signal.aborted) {
    try {
      stream ??= await client.listen(filter, { signal });
      if (missed) onAgain();
      if ((await lifetime(stream, signal)) > STEADY_MS) failures = 0;
    } catch (error) {
      if (error instanceof ProtocolError) return;
    }
    stream = undefined;
    missed = true;
    const rest = retryDelay(failures);
    failures += 1;
    await sleep(rest, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

async function lifetime(stream: McpSubscription, signal: AbortSignal): Promise<number> {
  const since = performance.now();
  const close = (): void => void stream.close();
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
  await stream.closed;
  signal.removeEventListener('abort', close);
  return performance.now() - since;
}
