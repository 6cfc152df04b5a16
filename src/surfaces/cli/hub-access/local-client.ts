import type { Input, Output, StreamName, UnaryName, ZooClient } from '../../../contract/api.ts';
import type { CallContext } from '../../../contract/call.ts';
import { ZooError } from '../../../contract/errors.ts';
import { loadOperation } from '../../../contract/table/load-operation.ts';
import { parse } from '../../../contract/parsing/parse.ts';
import type { Operation } from '../../../contract/table/operation.ts';
import { createHub } from '../../../hub/create-hub.ts';
import type { Connection, OwnHubOptions } from './connection.ts';
import type { Invocation } from '../invocation.ts';

// One mapped type for each kind, so that the compiler sees which input belongs to which output.
type Unary = { [N in UnaryName]: (input: Input<N>, context: CallContext) => Promise<Output<N>> };
type Streams = { [N in StreamName]: (input: Input<N>, context: CallContext) => AsyncIterable<Output<N>> };

/** A local hub on the same home, for one command. Inputs are parsed as over HTTP. */
export async function openLocal(
  home: string,
  { env, folder, config }: Invocation,
  { watch = false }: OwnHubOptions = {},
): Promise<Connection> {
  const hub = await createHub({ home, env, folder, config, watch });
  const unary: Unary = hub.operations;
  const streams: Streams = hub.operations;
  const workspace = hub.workspaceFor(folder);
  // Avoids an unhandled rejection if nothing is called.
  workspace.catch(() => undefined);
  const client: ZooClient = {
    async call<N extends UnaryName>(name: N, input: Input<N>, signal?: AbortSignal): Promise<Output<N>> {
      const operation = await loadOperation(name);
      return unary[name](parseInput(operation, input), hub.localContext(await workspace, signal));
    },
    async *stream<N extends StreamName>(
      name: N,
      input: Input<N>,
      signal?: AbortSignal,
    ): AsyncIterable<Output<N>> {
      const operation = await loadOperation(name);
      yield* streams[name](parseInput(operation, input), hub.localContext(await workspace, signal));
    },
  };
  return { client, isOwn: () => true, close: () => hub.close() };
}

/** The input as sent over HTTP, without `undefined` fields. */
function parseInput<T>(operation: Operation, input: T): T {
  const given: Record<string, unknown> = Object.fromEntries(
    Object.entries(input ?? {}).filter(([, value]) => value !== undefined),
  );
  const { params, query, body } = operation;
  refuseNameless(pick(given, Object.keys(params?.shape ?? {})));
  const sent: { body?: unknown } =
    body && given['body'] !== undefined ? { body: parse(body, toWire(given['body'])) } : {};
  const read: Record<string, unknown> = Object.assign(
    {},
    params ? parse(params, pick(given, Object.keys(params.shape))) : {},
    query ? parse(query, pick(given, Object.keys(query.shape))) : {},
    sent,
  );
  return Object.assign({}, input, read);
}

/** URL paths cannot contain these segments, so they are rejected here too. */
function refuseNameless(params: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(params)) {
    if (typeof value !== 'string' || !/^\.{0,2}$/.test(value)) continue;
    throw new ZooError('invalid_arguments', `${name}: ${JSON.stringify(value)} is not a valid id`);
  }
}

function toWire(value: unknown): unknown {
  const wire: unknown = JSON.parse(JSON.stringify(value));
  return wire;
}

function pick(from: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.flatMap((key) => (key in from ? [[key, from[key]]] : [])));
}
