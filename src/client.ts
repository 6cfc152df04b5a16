import { type EventSourceMessage, createParser } from 'eventsource-parser';
import type { OperationName, Output, ZooClient } from './contract/api.ts';
import { ERROR_CODES, ZooError } from './contract/errors.ts';
import type { Method } from './contract/table/operation.ts';
import { type Wire, wire } from './contract/table/wire.ts';

export interface TransportRequest {
  method: Method;
  /** With its query. */
  path: string;
  headers: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
}

export interface TransportReply {
  status: number;
  text(): Promise<string>;
  /** The body as it comes in, for streams. */
  chunks(): AsyncIterable<string>;
}

/** Sends one request to a hub. It knows the address and the token, and rejects if there is no response. */
export type Transport = (request: TransportRequest) => Promise<TransportReply>;

export interface ClientOptions {
  /** The id or, for the operator, the folder of the workspace to act in. */
  workspace?: string;
  /** How long to wait before a broken stream is opened again, by the number of attempts that have failed. */
  retryDelay?: (failures: number) => number;
}

/** Calls the operations of a remote hub. The operation table defines what a request looks like. */
export function createClient(transport: Transport, options: ClientOptions = {}): ZooClient {
  const { workspace, retryDelay = (failures) => Math.min(250 * 2 ** failures, 10_000) } = options;

  const request = (name: OperationName, input: unknown, signal?: AbortSignal): TransportRequest => ({
    ...renderRequest(wire[name], input, workspace),
    ...(signal ? { signal } : {}),
  });

  return {
    async call(name, input, signal) {
      const { envelope } = wire[name];
      const reply = await transport(request(name, input, signal));
      const text = await reply.text();
      if (reply.status >= 400) throw parseError(reply.status, text);
      const value: unknown = text === '' ? null : JSON.parse(text);
      return trusted(name, envelope === 'result' ? member(value, 'result') : value);
    },

    async *stream(name, input, signal) {
      let lastEventId: string | undefined;
      let failures = 0;
      let connected = false;
      while (!isOver(signal)) {
        const { headers, ...rest } = request(name, input, signal);
        const resume = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
        try {
          const reply = await transport({
            ...rest,
            headers: { ...headers, accept: 'text/event-stream', ...resume },
          });
          if (reply.status >= 400) throw parseError(reply.status, await reply.text());
          connected = true;
          for await (const { id, event, data } of messages(reply.chunks())) {
            if (event === 'error') throw parseError(reply.status, data);
            failures = 0;
            lastEventId = id ?? lastEventId;
            yield trusted(name, JSON.parse(data));
          }
          if (wire[name].ends) return;
        } catch (error) {
          if (isOver(signal)) return;
          // An error response is final; a dropped connection is retried if there was one.
          if (error instanceof ZooError || !connected || wire[name].ends) throw error;
        }
        await pause(retryDelay(failures++), signal);
      }
    },
  };
}

function renderRequest(operation: Wire, input: unknown, workspace: string | undefined): TransportRequest {
  const headers: Record<string, string> = {};
  const query: string[] = [];
  let body: string | undefined;
  let { path } = operation;
  const add = (name: string, value: unknown): void => {
    query.push(`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  };
  for (const [name, value] of Object.entries(input ?? {})) {
    if (value === undefined) continue;
    if (name === 'body' && operation.body) body = JSON.stringify(value);
    else if (name === 'ifMatch' && operation.conditional) headers['if-match'] = `"${value}"`;
    else if (path.includes(`{${name}}`))
      path = path.replace(`{${name}}`, () => pathSegment(name, String(value)));
    else for (const item of Array.isArray(value) ? value : [value]) add(name, item);
  }
  if (workspace !== undefined) add('workspace', workspace);
  if (body !== undefined) headers['content-type'] = 'application/json';
  return {
    method: operation.method,
    path: query.length > 0 ? `${path}?${query.join('&')}` : path,
    headers,
    ...(body === undefined ? {} : { body }),
  };
}

/** URL normalisation would turn these segments into another path. */
function pathSegment(name: string, value: string): string {
  if (/^\.{0,2}$/.test(value))
    throw new ZooError('invalid_arguments', `${name}: ${JSON.stringify(value)} is not a valid id`);
  return encodeURIComponent(value);
}

/** The hub is trusted to follow the table, so responses are not parsed again. */
function trusted<N extends OperationName>(name: N, value: unknown): Output<N>;
function trusted(_name: OperationName, value: unknown): unknown {
  return value;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const member = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

/** `details.reason` has our code if the public one is less specific. */
function parseError(status: number, text: string): ZooError {
  const error = member(jsonOrNull(text), 'error');
  const message = member(error, 'message');
  if (typeof message !== 'string') {
    return new ZooError('internal', `The answer (${status}) is not from a hub: ${text.slice(0, 200)}`);
  }
  const all = member(error, 'details');
  const { reason, ...details } = isObject(all) ? all : {};
  const said = reason ?? member(error, 'code');
  const known = Object.keys(details).length > 0 ? details : undefined;
  return new ZooError(ERROR_CODES.find((code) => code === said) ?? 'internal', message, known);
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function* messages(chunks: AsyncIterable<string>): AsyncIterable<EventSourceMessage> {
  let waiting: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => waiting.push(message) });
  for await (const chunk of chunks) {
    parser.feed(chunk);
    const ready = waiting;
    waiting = [];
    yield* ready;
  }
}

const isOver = (signal: AbortSignal | undefined): boolean => signal?.aborted ?? false;

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
    if (signal?.aborted) done();
  });
}
