import { createHash } from 'node:crypto';
import type { CallContext } from '../../contract/call.ts';

/** The context with a hash of the request, where it has an idempotency key; see `once`. */
export function withRequestHash(context: CallContext, name: string, input: unknown): CallContext {
  if (context.idempotencyKey === undefined || context.requestHash !== undefined) return context;
  const requestHash = createHash('sha256')
    .update(JSON.stringify([name, ordered(input)]))
    .digest('base64url');
  return { ...context, requestHash };
}

/** Fields in a fixed order, since a client may repeat a request with its fields in another. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]: [string, unknown]) => [key, ordered(each)]));
}
