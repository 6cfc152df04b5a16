import {
  isInitializeRequest,
  type JSONRPCMessage,
  type MessageExtraInfo,
  parseJSONRPCMessage,
  type RequestId,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/server';
import type { CallMessage } from '../serving/call-request.ts';
import type { SessionCalls } from '../serving/session-calls.ts';
import { accept, type EventStream, type Exchange, renderEvent, replyError } from './exchange.ts';
import { openEventStream, PostAnswer } from './post-answer.ts';

const MAX_BATCH = 100;
const NOT_ACCEPTABLE = 'Not Acceptable: Client must accept both application/json and text/event-stream';

/**
 * Streamable HTTP of the 2025 revisions for one session. Unlike the SDK's own transport it answers with plain JSON
 * unless something was sent before the result, and finds the request of a response without a search.
 */
export class SessionTransport implements Transport {
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  // oxlint-disable-next-line no-unnecessary-type-parameters -- the shape of the SDK's interface
  onmessage: (<T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void) | undefined;
  /** Set by the client's `initialize`. */
  sessionId: string | undefined;
  /** Handles the calls that do not need the SDK. */
  calls: SessionCalls | undefined;
  readonly #makeId: () => string;
  readonly #onInitialized: (id: string) => void;
  readonly #answers = new Map<RequestId, PostAnswer>();
  #versions: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS;
  #stream: EventStream | undefined;
  #closed = false;

  constructor(makeId: () => string, onInitialized: (id: string) => void) {
    this.#makeId = makeId;
    this.#onInitialized = onInitialized;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  setSupportedProtocolVersions(versions: string[]): void {
    this.#versions = versions;
  }

  /** Requests without an answer, and the stream: each keeps the session in use. */
  get open(): number {
    return this.#answers.size + (this.#stream ? 1 : 0);
  }

  get hasStream(): boolean {
    return this.#stream !== undefined;
  }

  post(exchange: Exchange, body: unknown, call: CallMessage | null): void {
    const accepted = exchange.headers.get('accept') ?? '';
    if (!accepted.includes('application/json') || !accepted.includes('text/event-stream')) {
      return replyError(exchange, 406, -32_000, NOT_ACCEPTABLE);
    }
    if (call && this.calls) return this.#start(exchange, call, this.calls);
    const messages = parseMessages(body);
    if ('message' in messages) return replyError(exchange, 400, messages.code, messages.message);
    const ids = messages.flatMap((message) => ('method' in message && 'id' in message ? [message.id] : []));
    const problem = this.#initialize(messages) ?? this.#checkVersion(exchange) ?? this.#checkIds(ids);
    if (problem !== undefined) return replyError(exchange, 400, problem.code, problem.message);
    if (ids.length === 0) accept(exchange);
    else this.#expect(exchange, ids, Array.isArray(body));
    for (const message of messages) {
      this.#cancelCall(message);
      this.onmessage?.(message);
    }
  }

  #start(exchange: Exchange, call: CallMessage, calls: SessionCalls): void {
    const ids = [call.id];
    const problem = this.#checkVersion(exchange) ?? this.#checkIds(ids);
    if (problem !== undefined) return replyError(exchange, 400, problem.code, problem.message);
    this.#expect(exchange, ids, false);
    calls.start(call);
  }

  #cancelCall(message: JSONRPCMessage): void {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return;
    this.calls?.cancel(message.params?.['requestId'], message.params?.['reason']);
  }

  /** The stream for messages that belong to no request; one per session. */
  listen(exchange: Exchange, onClosed: () => void): boolean {
    if (!exchange.headers.get('accept')?.includes('text/event-stream')) {
      replyError(exchange, 406, -32_000, 'Not Acceptable: Client must accept text/event-stream');
      return false;
    }
    const problem = this.#checkVersion(exchange);
    if (problem !== undefined) {
      replyError(exchange, 400, problem.code, problem.message);
      return false;
    }
    if (this.#stream) {
      replyError(exchange, 409, -32_000, 'Conflict: Only one SSE stream is allowed per session');
      return false;
    }
    const stream = openEventStream(exchange, this.sessionId, () => {
      if (this.#stream === stream) this.#stream = undefined;
      onClosed();
    });
    this.#stream = stream;
    return true;
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    // A check of its shape is enough for our own messages; the SDK's guards would parse it again.
    const isResponse = !('method' in message);
    const id = isResponse ? message.id : options?.relatedRequestId;
    if (id === undefined) {
      this.#stream?.write(renderEvent(message));
      return Promise.resolve();
    }
    const answer = this.#answers.get(id);
    if (!answer) return Promise.reject(new Error(`No open request has the id ${String(id)}`));
    if (isResponse) {
      this.#answers.delete(id);
      answer.respond(id, message);
    } else answer.tell(message);
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    for (const answer of new Set(this.#answers.values())) answer.giveUp();
    this.#answers.clear();
    this.#stream?.end();
    this.#stream = undefined;
    this.onclose?.();
    return Promise.resolve();
  }

  #initialize(messages: readonly JSONRPCMessage[]): Problem | undefined {
    // The name is checked first: the SDK's guard is slower for every other message.
    const isFirst = messages.some(
      (message) => 'method' in message && message.method === 'initialize' && isInitializeRequest(message),
    );
    if (!isFirst) return undefined;
    if (this.sessionId !== undefined) return invalid('Invalid Request: Server already initialized');
    if (messages.length > 1) return invalid('Invalid Request: Only one initialization request is allowed');
    this.sessionId = this.#makeId();
    this.#onInitialized(this.sessionId);
    return undefined;
  }

  #checkVersion(exchange: Exchange): Problem | undefined {
    const version = exchange.headers.get('mcp-protocol-version');
    if (version === null || this.#versions.includes(version)) return undefined;
    const supported = this.#versions.join(', ');
    const message = `Bad Request: Unsupported protocol version: ${version} (supported versions: ${supported})`;
    return { code: -32_000, message };
  }

  #checkIds(ids: readonly RequestId[]): Problem | undefined {
    const isTaken = ids.some((id, index) => this.#answers.has(id) || ids.indexOf(id) !== index);
    return isTaken ? invalid('Invalid Request: A request with this id is still open') : undefined;
  }

  #expect(exchange: Exchange, ids: readonly RequestId[], isBatch: boolean): void {
    const answer = new PostAnswer(exchange, this.sessionId, ids, isBatch);
    for (const id of ids) this.#answers.set(id, answer);
  }
}

interface Problem {
  code: number;
  message: string;
}

const invalid = (message: string): Problem => ({ code: -32_600, message });

/** The messages of a body, or the error in it. */
function parseMessages(body: unknown): JSONRPCMessage[] | Problem {
  if (Array.isArray(body) && body.length > MAX_BATCH) {
    return invalid(`Invalid Request: Batch must not exceed ${MAX_BATCH} messages`);
  }
  try {
    return Array.isArray(body) ? body.map((each) => parseJSONRPCMessage(each)) : [parseJSONRPCMessage(body)];
  } catch {
    return { code: -32_700, message: 'Parse error: Invalid JSON-RPC message' };
  }
}
