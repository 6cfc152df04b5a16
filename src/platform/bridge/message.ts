export type Id = string | number;

/** The envelope of a JSON-RPC message, as far as a relay needs it. */
export type Message =
  | { kind: 'request'; id: Id; method: string; params: Fields; fields: Fields }
  | { kind: 'notification'; method: string; params: Fields; fields: Fields }
  | { kind: 'response'; id: Id; result: Fields | null; fields: Fields };

export type Fields = Readonly<Record<string, unknown>>;

/** Null if it is not a JSON-RPC message. */
export function readMessage(value: unknown): Message | null {
  if (!isFields(value)) return null;
  const { id, method, params, result } = value;
  if (typeof method === 'string') {
    const inner = isFields(params) ? params : {};
    if (id === undefined) return { kind: 'notification', method, params: inner, fields: value };
    return isId(id) ? { kind: 'request', id, method, params: inner, fields: value } : null;
  }
  if (!isId(id) || !('result' in value || 'error' in value)) return null;
  return { kind: 'response', id, result: isFields(result) ? result : null, fields: value };
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isId = (value: unknown): value is Id => typeof value === 'string' || typeof value === 'number';

export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

/** A message as one line. */
export const toLine = (fields: object): Buffer => Buffer.from(`${JSON.stringify(fields)}\n`);

export const request = (id: Id, method: string, params: object): Buffer =>
  toLine({ jsonrpc: '2.0', id, method, params });

export const notification = (method: string, params?: object): Buffer =>
  toLine({ jsonrpc: '2.0', method, ...(params ? { params } : {}) });

export interface RpcError {
  code: number;
  message: string;
  data?: object;
}

export const failure = (id: Id | null, error: RpcError): Buffer => toLine({ jsonrpc: '2.0', id, error });

/** One line of a stream; null if it is not a message. */
export function readLine(line: Buffer): Message | null {
  try {
    return readMessage(JSON.parse(line.toString()));
  } catch {
    return null;
  }
}
