import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type McpSubscription, ProtocolError } from '@modelcontextprotocol/client';
import { retryDelay } from '../../retry-delay.ts';

/** A stream that held for so long has not failed; it has ended. */
const STEADY_MS = 60_000;

type Filter = Parameters<Client['listen']>[0];

export interface KeepListening {
  client: Pick<Client, 'listen'>;
  filter: Filter;
  /** One that is open already. */
  first?: McpSubscription | undefined;
  /** It is open once more: what was said in between was missed. */
  onAgain(): void;
  signal: AbortSignal;
}

/** Holds a stream of the newest revision open. Resolves with the signal, or when the server says that it has none. */
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
