import * as z from 'zod';
import { type OperationName, type RawName, type StreamName, api } from '../../contract/api.ts';
import type { CallContext } from '../../contract/call.ts';
import { ZooError } from '../../contract/errors.ts';
import type { Operation, RawReply } from '../../contract/table/operation.ts';
import type { Hub } from '../../hub/hub.ts';
import { errorBody, unexpected } from './error-reply.ts';
import { eventStream } from './event-stream.ts';
import { API_HEADERS, BARE_HEADERS, STREAM_HEADERS } from './headers.ts';

/** The HTTP side of a request, which operations do not see. */
export interface Asked {
  request: Request;
  /** Aborts when the server is closing. */
  closing: AbortSignal;
  onStreamError: (error: unknown) => void;
}

/** Calls an operation with validated input, and answers with its result over HTTP. */
export type Answer = (input: object, context: CallContext, asked: Asked) => Promise<Response>;

/** Raw operations about the surface itself, which the hub cannot answer. */
export type Pages = Partial<Record<RawName, (context: CallContext, asked: Asked) => Promise<RawReply>>>;

/** Method syntax, since each operation has its own input type; parsing has made sure that it fits. */
type Call<R> = { call(input: object, context: CallContext): R }['call'];

export function compileAnswer(name: OperationName, hub: Hub, pages: Pages): Answer {
  if (isStream(name)) return streamAnswer(api[name], hub.operations[name]);
  if (isRaw(name)) return rawAnswer(hub.operations[name], pages[name]);
  return unaryAnswer(api[name], hub.operations[name]);
}

const isStream = (name: OperationName): name is StreamName => api[name].kind === 'stream';
const isRaw = (name: OperationName): name is RawName => api[name].kind === 'raw';

function unaryAnswer({ status, envelope, output }: Operation, call: Call<Promise<unknown>>): Answer {
  if (status === 204) {
    const init = { status, headers: BARE_HEADERS };
    return async (input, context) => {
      await call(input, context);
      return new Response(null, init);
    };
  }
  const init = { status, headers: API_HEADERS };
  const versioned = output instanceof z.ZodObject && 'revision' in output.shape;
  return async (input, context) => {
    const value = await call(input, context);
    const json = JSON.stringify(value);
    const body = envelope === 'result' ? `{"result":${json}}` : json;
    return new Response(body, versioned ? { status, headers: withTag(value) } : init);
  };
}

function withTag(value: unknown): Record<string, string> {
  const revision =
    typeof value === 'object' && value !== null && 'revision' in value ? value.revision : undefined;
  return typeof revision === 'number' ? { ...API_HEADERS, etag: `"${revision}"` } : API_HEADERS;
}

function streamAnswer({ ends }: Operation, call: Call<AsyncIterable<unknown>>): Answer {
  const init = { status: 200, headers: STREAM_HEADERS };
  return async (input, context, { request, closing, onStreamError }) => {
    // A HEAD request would never read or close the stream.
    if (request.method === 'HEAD') return new Response(null, init);
    const signals = [request.signal, closing];
    const open = (signal: AbortSignal) => call(input, { ...context, signal });
    // An endless stream may have no first event to wait for.
    const stream = eventStream(ends ? await begin(open, signals) : open, {
      signals,
      onError: (error) => (error instanceof ZooError ? undefined : onStreamError(error)),
      lastWords: (error) => errorBody(error instanceof ZooError ? error : unexpected()),
    });
    return new Response(stream, init);
  };
}

/** Waits for the first event, so that a failure before it gets a status of its own. */
async function begin(open: (signal: AbortSignal) => AsyncIterable<unknown>, signals: readonly AbortSignal[]) {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  const unlink = (): void => signals.forEach((signal) => signal.removeEventListener('abort', end));
  for (const signal of signals) signal.addEventListener('abort', end);
  if (signals.some(({ aborted }) => aborted)) end();
  const events = open(ended.signal)[Symbol.asyncIterator]();
  const first = await events.next().finally(unlink);
  async function* rest(signal: AbortSignal): AsyncGenerator {
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    for (let next = first; !next.done; next = await events.next()) yield next.value;
  }
  return rest;
}

function rawAnswer(call: Call<Promise<RawReply>>, page: Pages[RawName]): Answer {
  return async (input, context, asked) => {
    if (asked.request.method === 'HEAD' && !page)
      return new Response(null, { status: 200, headers: BARE_HEADERS });
    return rawResponse(await (page ? page(context, asked) : call(input, context)));
  };
}

export const rawResponse = ({ status, headers, body }: RawReply): Response =>
  // A copy has a buffer of its own, which every declaration of a body allows.
  new Response(typeof body === 'string' ? body : new Uint8Array(body), {
    status,
    headers: { ...BARE_HEADERS, ...headers },
  });
