import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RawReply } from '../../contract/table/operation.ts';
import type { Asked } from './asked.ts';
import { readJson } from './body.ts';
import { STREAM_HEADERS } from './headers.ts';
import type { Held } from './token-use.ts';

/** Unread bytes after which the stream of a slow client is closed. */
const MOST_WAITING = 16 * 1024 * 1024;

export interface OpenStream {
  write(text: string): void;
  end(): void;
}

/**
 * A request and its answer, directly on Node's own objects. For protocols with frequent small
 * requests: web-standard objects, above all streams, cost more than the rest of such a request.
 */
export class Exchange implements Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Asked['headers'];
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  #gone: AbortController | undefined;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.method = incoming.method ?? 'GET';
    this.url = incoming.url ?? '/';
    this.headers = { get: (name) => headerOf(incoming, name) };
  }

  /** Aborts if the client disconnects before the response is complete. Created on demand: few requests need it. */
  get signal(): AbortSignal {
    if (!this.#gone) {
      const gone = new AbortController();
      this.#gone = gone;
      this.onClose((complete) => {
        if (!complete) gone.abort();
      });
    }
    return this.#gone.signal;
  }

  get response(): Held {
    return this.#outgoing;
  }

  onClose(listener: (complete: boolean) => void): void {
    const outgoing = this.#outgoing;
    if (outgoing.destroyed) listener(outgoing.writableFinished);
    else outgoing.once('close', () => listener(outgoing.writableFinished));
  }

  readJson(limit: number): Promise<unknown> {
    return readJson(this.headers, this.#incoming, limit);
  }

  /** Sends headers and body in one write. */
  reply({ status, headers, body }: RawReply): void {
    if (this.#outgoing.destroyed || this.#outgoing.headersSent) return;
    this.#outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
    this.#outgoing.end(body);
  }

  openStream(headers: Readonly<Record<string, string>> = {}): OpenStream {
    const outgoing = this.#outgoing;
    if (!outgoing.destroyed) {
      outgoing.writeHead(200, { ...STREAM_HEADERS, 'x-accel-buffering': 'no', ...headers });
      outgoing.flushHeaders();
    }
    return {
      write(text) {
        if (outgoing.destroyed || outgoing.writableEnded) return;
        outgoing.write(text);
        if (outgoing.writableLength > MOST_WAITING) outgoing.destroy();
      },
      end: () => void outgoing.end(),
    };
  }
}

function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : (value ?? null);
}
