/** An HTTP request and its response, as passed on by the HTTP surface: authenticated, not yet answered. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  /** Aborts if the client disconnects before the response is complete. */
  readonly signal: AbortSignal;
  /** Undefined without a body. Throws a `ZooError` if it is not JSON or too large. */
  readJson(limit: number): Promise<unknown>;
  reply(answer: { status: number; headers: Record<string, string>; body: string }): void;
  openStream(headers?: Readonly<Record<string, string>>): EventStream;
  onClose(listener: () => void): void;
}

export interface EventStream {
  write(text: string): void;
  end(): void;
}

export const JSON_HEADERS = Object.freeze({
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
});

export const renderEvent = (message: unknown): string =>
  `event: message\ndata: ${JSON.stringify(message)}\n\n`;

/** A failure of the transport, before there is a request to answer in the protocol's own terms. */
export function replyError(
  exchange: Exchange,
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): void {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });
  exchange.reply({ status, headers: { ...JSON_HEADERS, ...headers }, body });
}

export const accept = (exchange: Exchange): void => exchange.reply({ status: 202, headers: {}, body: '' });
