import type { Transport, TransportReply } from '../../../src/client.ts';
import { readSession, signOut } from './session.ts';

export interface StreamWatch {
  onOpen(): void;
  onBytes(): void;
  onLost(): void;
}

/** Carries requests to the hub that served this page. `watch` is told how its streams are doing. */
export function createTransport(watch?: StreamWatch): Transport {
  return async ({ method, path, headers, body, signal }) => {
    const { token } = readSession();
    const response = await send(path, {
      method,
      headers: token === null ? headers : { ...headers, authorization: `Bearer ${token}` },
      // The browser would add cookies of other servers on this host.
      credentials: 'omit',
      cache: 'no-store',
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    }).catch((error: unknown) => {
      watch?.onLost();
      throw error;
    });
    if (response.status === 401 && token !== null && token === readSession().token) {
      signOut('Your session has expired.');
    }
    if (response.ok) watch?.onOpen();
    return toReply(response, watch);
  };
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Error('The hub is not responding. Check that it is running: zoo status', { cause: error });
  }
}

function toReply(response: Response, watch: StreamWatch | undefined): TransportReply {
  return {
    status: response.status,
    text: () => response.text(),
    async *chunks() {
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      if (!reader) return;
      try {
        for (let part = await reader.read(); !part.done; part = await reader.read()) {
          watch?.onBytes();
          yield part.value;
        }
      } finally {
        watch?.onLost();
        await reader.cancel().catch(() => undefined);
      }
    },
  };
}
