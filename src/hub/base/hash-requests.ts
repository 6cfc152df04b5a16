import { createHash } from 'node:crypto';
import type { CallContext } from '../../contract/call.ts';

/** Adds a hash of the request to a context with an idempotency key; see `once`. */
export function withRequestHash(context: CallContext, name: string, input: unknown): CallContext {
  if (context.idempotencyKey === undefined || context.requestHash !== undefined) return context;
  const requestHash = createHash('sha256')
    .update(JSON.stringify([name, ordered(input)]))
    .digest('base64url');
  return { ...context, requestHash };
}

/** Sorts fields, since a client may repeat a request with another order. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]: [string, unknown]) => [key, ordered(each)]));
}
