import { type JSONRPCErrorResponse, ProtocolErrorCode } from '@modelcontextprotocol/server';
import * as z from 'zod';

const Id = z.union([z.string(), z.int()]);
const Asked = z.looseObject({ id: Id });
const MAX_BATCH = 100;
const KEYS = new Set(['jsonrpc', 'id', 'method', 'params']);

/** The responses to JSON that is not a valid message. Only requests get one. */
export function rejectInvalid(body: unknown): JSONRPCErrorResponse[] {
  if (Array.isArray(body)) {
    const each = body.slice(0, MAX_BATCH).flatMap((one: unknown) => Asked.safeParse(one).data ?? []);
    return each.filter(isRequest).map(({ id }) => answer(id, 'Batches are only supported over HTTP.'));
  }
  const asked = Asked.safeParse(body).data;
  return asked && isRequest(asked) ? [answer(asked.id, describeInvalid(asked))] : [];
}

const isRequest = (message: object): boolean => !('result' in message) && !('error' in message);

function describeInvalid(message: Record<string, unknown>): string {
  const { jsonrpc, method, params } = message;
  if (jsonrpc !== '2.0') return 'jsonrpc must be "2.0".';
  if (typeof method !== 'string') return 'method must be a string.';
  if (params !== undefined && !isObject(params)) return 'params must be an object.';
  const unknown = Object.keys(message).find((key) => !KEYS.has(key));
  if (unknown !== undefined) return `Unknown key ${JSON.stringify(unknown.slice(0, 100))}.`;
  if (isObject(params) && '_meta' in params && !isObject(params['_meta']))
    return 'params._meta must be an object.';
  return 'params._meta.progressToken must be a string or an integer.';
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function answer(id: string | number, why: string): JSONRPCErrorResponse {
  const error = { code: ProtocolErrorCode.InvalidRequest, message: `Invalid request: ${why}` };
  return { jsonrpc: '2.0', id, error };
}
