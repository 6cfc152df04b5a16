import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Transport, TransportReply } from '../../../client.ts';
import type { HubFile } from '../../../platform/home/hub-file.ts';
import { hubProof, randomHex } from '../../../platform/home/hub-proof.ts';

/** Another program answers at the hub's address. It gets no token. */
class NotOurHub extends Error {}

/**
 * One connection per request with `node:http`, because the first `fetch` of a process takes fifty milliseconds
 * longer. Before the first request, the hub has to prove that it wrote `hub.json`.
 */
export function httpTransport({ url, secret }: Pick<HubFile, 'url' | 'secret'>, token: string): Transport {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  let proven: Promise<void> | undefined;
  return async ({ method, path, headers, body, signal }) => {
    await (proven ??= requireProof(host, port, url, secret));
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        {
          host,
          port,
          method,
          path,
          agent: false,
          headers: {
            authorization: `Bearer ${token}`,
            'zoo-surface': 'cli',
            ...headers,
            ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
          },
          ...(signal ? { signal } : {}),
        },
        (incoming) => resolve(readReply(incoming)),
      );
      outgoing.once('error', reject);
      outgoing.end(body);
    });
  };
}

async function requireProof(host: string, port: string, url: string, secret: string): Promise<void> {
  const challenge = randomHex();
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const path = `/health?challenge=${challenge}`;
    httpRequest({ host, port, path, agent: false }, resolve).once('error', reject).end();
  });
  // The proof is a hash, so searching for it in the response is enough.
  const answer = await readReply(reply).text();
  if (!answer.includes(hubProof(secret, url, challenge)))
    throw new NotOurHub(`another program answers at ${url}`);
}

function readReply(incoming: IncomingMessage): TransportReply {
  incoming.setEncoding('utf8');
  async function* chunks(): AsyncIterable<string> {
    for await (const chunk of incoming) yield String(chunk);
  }
  return {
    status: incoming.statusCode ?? 0,
    chunks,
    text: async () => {
      let text = '';
      for await (const chunk of chunks()) text += chunk;
      return text;
    },
  };
}

/** The request was never sent: no hub listens there. */
export function isRefused(error: unknown): boolean {
  return (
    error instanceof NotOurHub ||
    (error instanceof Error &&
      'code' in error &&
      (error.code === 'ECONNREFUSED' || error.code === 'EADDRNOTAVAIL'))
  );
}
