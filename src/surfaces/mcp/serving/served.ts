import type { Server, ServerContext } from '@modelcontextprotocol/server';
import type { CallContext } from '../../../contract/call.ts';
import { IDEMPOTENCY_KEY } from '../../../contract/offers/once-meta.ts';
import { ZooError } from '../../../contract/errors.ts';
import type { Hub } from '../../../hub/hub.ts';
import { ProtocolError } from '@modelcontextprotocol/server';
import { asZooError, type McpLog, protocolError } from './error-form.ts';
import type { RequestStates } from './request-state.ts';
import type { ResourceWatches } from '../changes/resource-watches.ts';

export type Era = 'legacy' | 'modern';

/** One server of the SDK, and whom it serves. */
export interface Served {
  server: Server;
  hub: Hub;
  era: Era;
  /** Of everyone who calls through it; a call adds its own signal. */
  context: CallContext;
  states: RequestStates;
  log: McpLog;
  /** Resources that the client wants to hear of. */
  watched: Set<string>;
  /** Where it hears of those that are elsewhere; null where its streams see to that. */
  watches: ResourceWatches | null;
}

export function contextOf({ context }: Served, { mcpReq }: ServerContext): CallContext {
  const key = mcpReq._meta?.[IDEMPOTENCY_KEY];
  return { ...context, signal: mcpReq.signal, ...(typeof key === 'string' && { idempotencyKey: key }) };
}

/** Failures of everything but tools are errors of the protocol. */
export async function answering<T>(served: Served, what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    throw protocolError(asZooError(error, what, served.log));
  }
}

const PAGE = 1000;

/** A page of a list that is in a stable order. Large enough for clients that never ask for a second one. */
export function page<T>(all: readonly T[], cursor: string | undefined): { items: T[]; nextCursor?: string } {
  const from = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isSafeInteger(from) || from < 0) {
    throw new ZooError('invalid_arguments', `cursor: ${JSON.stringify(cursor)} is none of ours`);
  }
  const items = all.slice(from, from + PAGE);
  return from + PAGE < all.length ? { items, nextCursor: String(from + PAGE) } : { items };
}
