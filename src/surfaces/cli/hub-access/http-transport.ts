import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Transport, TransportReply } from '../../../client.ts';

/** One connection for each request, by `node:http`: the first `fetch` of a process takes fifty milliseconds more. */
export function httpTransport(url: string, token: string): Transport {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return ({ method, path, headers, body, signal }) =>
    new Promise((resolve, reject) => {
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

/** The request never left: nobody listens there. */
export function isRefused(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ECONNREFUSED' || error.code === 'EADDRNOTAVAIL')
  );
}
