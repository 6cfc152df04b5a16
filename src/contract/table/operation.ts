import type { z } from 'zod';
import type { ErrorCode } from '../errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * `public` needs no token, `agent` also takes one bound to an agent (within its reach), `operator` only the
 * operator's.
 */
export type Access = 'public' | 'agent' | 'operator';

/**
 * One operation of the hub, and the only definition of its wire format.
 * `params` travel in the path, `query` behind `?`, `body` as JSON, `conditional` ones take `If-Match`.
 * `unary` responds once, `stream` sends events of the output schema, `raw` responds with its own bytes and headers.
 */
export interface Operation {
  kind: 'unary' | 'stream' | 'raw';
  /**
   * A stream that ends: a failure before its first event is a normal error response, and a dropped connection is
   * not resumed.
   */
  ends?: true;
  summary: string;
  tag: string;
  method: Method;
  path: `/${string}`;
  access: Access;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  bodyOptional?: true;
  conditional?: true;
  /** A write that accepts an `Idempotency-Key`. */
  once?: true;
  output: z.ZodType;
  status: 200 | 201 | 202 | 204;
  /** `result` wraps the answer as `{"result": …}`. */
  envelope?: 'result';
  errors: readonly ErrorCode[];
  /** In bytes; default 1 MiB. */
  maxBody?: number;
}

type PartOf<O, K extends string> = O extends Record<K, infer S extends z.ZodType> ? z.output<S> : unknown;

/** The caller's input: path and query fields, and the body as `body`. */
export type InputOf<O extends Operation> = PartOf<O, 'params'> &
  PartOf<O, 'query'> &
  (O extends { body: infer B extends z.ZodType }
    ? O extends { bodyOptional: true }
      ? { body?: z.output<B> | undefined }
      : { body: z.output<B> }
    : unknown) &
  (O extends { conditional: true } ? { ifMatch?: number | undefined } : unknown);

export type OutputOf<O extends Operation> = z.output<O['output']>;

export interface RawReply {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array;
}

/** Errors that any operation can return; the table lists only specific ones. */
export const UNIVERSAL_ERRORS = ['internal'] as const satisfies readonly ErrorCode[];
