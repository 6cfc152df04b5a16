import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as SecureAgent, request as httpsRequest } from 'node:https';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Readable } from 'node:stream';

/** Until the headers, and then for each piece of the body: a large local model may take minutes to begin. */
const SILENCE_MS = 900_000;
/** As long as Node's `fetch` waits for a connection. */
const CONNECT_MS = 10_000;
/** Servers close idle connections; most wait at least 5 s. */
const IDLE_MS = 4_000;

const agents = {
  'http:': new Agent({ keepAlive: true, timeout: IDLE_MS }),
  'https:': new SecureAgent({ keepAlive: true, timeout: IDLE_MS }),
};

/**
 * `fetch` for requests to models, on Node's own HTTP client. Node's `fetch` puts each request and answer through
 * several web streams, which takes longer than everything else that a run does for a short answer, and hands on every
 * chunk of the answer by itself; here, those that arrived together are one.
 */
export const providerFetch: typeof fetch = async (input, init = {}) => {
  const { method, headers, body, signal } = init;
  const url = new URL(input instanceof Request ? input.url : input);
  const isOurs = url.protocol === 'http:' || url.protocol === 'https:';
  // The SDKs send text; uploads and addresses of other kinds are rare.
  if (input instanceof Request || !isOurs || usesProxy() || (body !== undefined && typeof body !== 'string'))
    return fetch(input, init);
  signal?.throwIfAborted();
  const incoming = await send(url, {
    method: method ?? 'GET',
    headers: new Headers(headers),
    body,
    signal: signal ?? undefined,
  });
  const { statusCode: status = 0, headers: answered } = incoming;
  if (status >= 300 && status < 400 && answered.location !== undefined) {
    incoming.destroy();
    return fetch(input, init);
  }
  const isEmpty = status === 204 || status === 304 || method === 'HEAD';
  if (isEmpty) incoming.resume();
  return new Response(isEmpty ? null : toWeb(decoded(incoming), incoming, signal ?? undefined), {
    status,
    statusText: incoming.statusMessage ?? '',
    headers: headersOf(incoming),
  });
};

interface Sent {
  method: string;
  headers: Headers;
  body: string | undefined;
  signal: AbortSignal | undefined;
}

function send(url: URL, { method, headers, body, signal }: Sent): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:';
  const start = isSecure ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const outgoing = start(
      url,
      {
        method,
        agent: isSecure ? agents['https:'] : agents['http:'],
        timeout: SILENCE_MS,
        headers: {
          ...Object.fromEntries(headers),
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
        },
      },
      (incoming) => {
        incoming.once('close', () => signal?.removeEventListener('abort', abort));
        resolve(incoming);
      },
    );
    const abort = (): void => void outgoing.destroy(abortReason(signal));
    signal?.addEventListener('abort', abort, { once: true });
    outgoing.once('timeout', () => outgoing.destroy(new Error(`no answer for ${SILENCE_MS / 1_000} s`)));
    outgoing.once('socket', (socket) => {
      if (!socket.connecting) return;
      const timer = setTimeout(
        () => outgoing.destroy(new Error(`no connection within ${CONNECT_MS / 1_000} s`)),
        CONNECT_MS,
      );
      socket.once('connect', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
    });
    outgoing.on('error', (error) => {
      signal?.removeEventListener('abort', abort);
      // The words by which the SDKs tell a failed connection.
      reject(signal?.aborted ? error : new TypeError('fetch failed', { cause: error }));
    });
    outgoing.end(body);
  });
}

/** Later versions of Node can be told to use the proxies of the environment. */
function usesProxy(): boolean {
  return process.env['NODE_USE_ENV_PROXY'] === '1' || process.execArgv.includes('--use-env-proxy');
}

function abortReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException('This operation was aborted', 'AbortError');
}

/** No encoding is asked for, but some proxies compress anyway. */
function decoded(incoming: IncomingMessage): Readable {
  switch (incoming.headers['content-encoding']) {
    case 'gzip':
      return incoming.pipe(createGunzip());
    case 'br':
      return incoming.pipe(createBrotliDecompress());
    case 'deflate':
      return incoming.pipe(createInflate());
    case undefined:
    default:
      return incoming;
  }
}

function toWeb(
  body: Readable,
  incoming: IncomingMessage,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  let isOpen = true;
  const end = (settle: () => void): void => {
    if (!isOpen) return;
    isOpen = false;
    settle();
  };
  /** Everything that has arrived so far is one chunk. */
  const pass = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    if (!isOpen || (controller.desiredSize ?? 0) <= 0) return;
    const chunk: unknown = body.read();
    if (chunk instanceof Uint8Array) controller.enqueue(chunk);
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const fail = (error: Error): void =>
        end(() => controller.error(signal?.aborted ? abortReason(signal) : cutOff(error)));
      body.on('readable', () => pass(controller));
      body.once('end', () => end(() => controller.close()));
      body.once('error', fail);
      incoming.once('error', fail);
      incoming.once('close', () => {
        if (!incoming.complete) fail(new Error('the connection was closed'));
      });
    },
    pull: pass,
    cancel() {
      end(() => undefined);
      body.destroy();
      incoming.destroy();
    },
  });
}

const cutOff = (cause: Error): TypeError => new TypeError('terminated', { cause });

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  return headers;
}
