import type { z } from 'zod';
import type { ErrorCode } from '../errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `public` needs no token, `agent` also takes one bound to an agent (within its reach), `operator` only the operator's. */
export type Access = 'public' | 'agent' | 'operator';

/**
 * One operation of the hub: its wire shape is written here and nowhere else.
 * `params` travel in the path, `query` behind `?`, `body` as JSON, `conditional` ones take `If-Match`.
 * `unary` answers once, `stream` sends events of the output's shape, `raw` answers with bytes and headers of its own.
 */
export interface Operation {
  kind: 'unary' | 'stream' | 'raw';
  /** A stream that comes to an end: what fails before its first event is an answer like any other, and a line that breaks is not taken up again. */
  ends?: true;
  summary: string;
  tag: string;
  method: Method;
  path: `/${string}`;
  access: Access;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The body may be left out altogether. */
  bodyOptional?: true;
  conditional?: true;
  /** A write that takes an `Idempotency-Key`, under which it is done once. */
  once?: true;
  output: z.ZodType;
  status: 200 | 201 | 202 | 204;
  /** `result` wraps the answer as `{"result": …}`. */
  envelope?: 'result';
  errors: readonly ErrorCode[];
  /** In bytes; 1 MiB unless it says otherwise. */
  maxBody?: number;
}

type PartOf<O, K extends string> = O extends Record<K, infer S extends z.ZodType> ? z.output<S> : unknown;

/** What a caller hands in: path and query fields side by side, the body under `body`. */
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

/** Every error an operation can meet whatever it does; the table lists only what is its own. */
export const UNIVERSAL_ERRORS = ['internal'] as const satisfies readonly ErrorCode[];
