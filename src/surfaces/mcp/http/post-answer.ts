import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import { type EventStream, type Exchange, JSON_HEADERS, renderEvent, replyError } from './exchange.ts';

/** Clients and proxies close connections on which nothing happens. */
const KEEP_ALIVE_MS = 15_000;
/** A call that takes longer than this is answered on a stream, which is kept alive. */
const PATIENCE_MS = 10_000;

/**
 * The answer to one POST: plain JSON, or a stream if other messages precede the last response or it takes long.
 * A stream costs both sides several times as much as a small response.
 */
export class PostAnswer {
  readonly #exchange: Exchange;
  readonly #sessionId: string | undefined;
  readonly #waiting: Set<RequestId>;
  readonly #isBatch: boolean;
  readonly #responses: JSONRPCMessage[] = [];
  readonly #patience: NodeJS.Timeout;
  #stream: EventStream | undefined;

  constructor(
    exchange: Exchange,
    sessionId: string | undefined,
    ids: readonly RequestId[],
    isBatch: boolean,
  ) {
    this.#exchange = exchange;
    this.#sessionId = sessionId;
    this.#waiting = new Set(ids);
    this.#isBatch = isBatch;
    this.#patience = setTimeout(() => this.#openStream(), PATIENCE_MS).unref();
  }

  /** Sends a message that belongs to the request but is not its response. */
  tell(message: JSONRPCMessage): void {
    this.#openStream().write(renderEvent(message));
  }

  /** `status` is for an answer without a stream. */
  respond(id: RequestId, message: JSONRPCMessage, status = 200): void {
    this.#waiting.delete(id);
    if (this.#stream) this.#stream.write(renderEvent(message));
    else this.#responses.push(message);
    if (this.#waiting.size > 0) return;
    clearTimeout(this.#patience);
    if (this.#stream) this.#stream.end();
    else this.#replyJson(status);
  }

  /** The session ended before all responses arrived. */
  giveUp(): void {
    clearTimeout(this.#patience);
    if (this.#stream) this.#stream.end();
    else replyError(this.#exchange, 404, -32_001, 'Session closed');
  }

  #replyJson(status: number): void {
    const [only] = this.#responses;
    const body = JSON.stringify(this.#isBatch ? this.#responses : only);
    this.#exchange.reply({ status, headers: withSession(JSON_HEADERS, this.#sessionId), body });
  }

  #openStream(): EventStream {
    if (this.#stream) return this.#stream;
    clearTimeout(this.#patience);
    this.#stream = openEventStream(this.#exchange, this.#sessionId, () => undefined);
    for (const message of this.#responses) this.#stream.write(renderEvent(message));
    return this.#stream;
  }
}

/** A stream that is kept alive until either side ends it. */
export function openEventStream(
  exchange: Exchange,
  sessionId: string | undefined,
  onClosed: () => void,
): EventStream {
  const stream = exchange.openStream(withSession({}, sessionId));
  const keepAlive = setInterval(() => stream.write(': keepalive\n\n'), KEEP_ALIVE_MS).unref();
  exchange.onClose(() => {
    clearInterval(keepAlive);
    onClosed();
  });
  return stream;
}

const withSession = (
  headers: Readonly<Record<string, string>>,
  sessionId: string | undefined,
): Record<string, string> => ({
  ...headers,
  ...(sessionId !== undefined && { 'mcp-session-id': sessionId }),
});
