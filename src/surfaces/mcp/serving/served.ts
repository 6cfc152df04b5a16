import type { Server, ServerContext } from '@modelcontextprotocol/server';
import type { CallContext } from '../../../contract/call.ts';
import { IDEMPOTENCY_KEY } from '../../../contract/offers/once-meta.ts';
import { ZooError } from '../../../contract/errors.ts';
import type { Hub } from '../../../hub/hub.ts';
import { ProtocolError } from '@modelcontextprotocol/server';
import { asZooError, type McpLog, protocolError } from './error-form.ts';
import type { LogLevel } from './log-level.ts';
import type { RequestStates } from './request-state.ts';
import type { ResourceWatches } from '../changes/resource-watches.ts';

export type Era = 'legacy' | 'modern';

/** A server of the SDK and its caller. */
export interface Served {
  server: Server;
  hub: Hub;
  era: Era;
  /** It has tools, and neither prompts nor resources. */
  toolsOnly: boolean;
  /** Shared by all calls; each adds its own signal. */
  context: CallContext;
  states: RequestStates;
  log: McpLog;
  /** Log messages below this level are not sent. Set by clients of the 2025 revisions. */
  logLevel: LogLevel;
  /** Resources that the client has subscribed to. */
  watched: Set<string>;
  /** Subscriptions at upstream servers; null where the HTTP streams manage them. */
  watches: ResourceWatches | null;
}

export const contextOf = ({ context }: Served, { mcpReq }: ServerContext): CallContext =>
  callContext(context, mcpReq._meta, mcpReq.signal);

/** The shared context for one call. */
export function callContext(
  shared: CallContext,
  meta: Readonly<Record<string, unknown>> | undefined,
  signal: AbortSignal,
): CallContext {
  const key = meta?.[IDEMPOTENCY_KEY];
  return { ...shared, signal, ...(typeof key === 'string' && { idempotencyKey: key }) };
}

/** Reports failures of everything but tools as protocol errors. */
export async function answering<T>(served: Served, what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    throw protocolError(asZooError(error, what, served.log));
  }
}

const PAGE = 1000;

/** A page of a stably ordered list. Large, since some clients never request the second page. */
export function page<T>(all: readonly T[], cursor: string | undefined): { items: T[]; nextCursor?: string } {
  const from = cursor === undefined ? 0 : Number(cursor);
  if (!Number.isSafeInteger(from) || from < 0) {
    throw new ZooError('invalid_arguments', `Invalid cursor ${JSON.stringify(cursor)}.`);
  }
  const items = all.slice(from, from + PAGE);
  return from + PAGE < all.length ? { items, nextCursor: String(from + PAGE) } : { items };
}
