import type { Readable } from 'node:stream';
import { ZooError } from '../../contract/errors.ts';
import { parse } from '../../contract/parsing/parse.ts';
import type { Operation } from '../../contract/table/operation.ts';
import { readJson } from './body.ts';
import { type Query, compileParams, compileQuery } from './query.ts';

const MIB = 1024 * 1024;

/** How one operation reads a request, compiled once from the table. */
export interface InputReader {
  query(search: string): Query;
  /** The input of an implementation: path and query side by side, `body` and `ifMatch` by name. */
  input(request: Request, params: Record<string, string>, query: Query, incoming: Readable): Promise<object>;
}

export function compileInput(operation: Operation): InputReader {
  const { body, bodyOptional, conditional, maxBody = MIB, kind } = operation;
  const readParams = compileParams(operation.params);
  const resumable = kind === 'stream' && operation.query?.shape['after'] !== undefined;

  return {
    query: compileQuery(operation.query),
    async input(request, params, query, incoming) {
      const input: Record<string, unknown> = { ...query.values, ...readParams(params) };
      if (conditional) input.ifMatch = parseIfMatch(request.headers.get('if-match'));
      if (resumable) input.after = parseLastEventId(request.headers.get('last-event-id')) ?? input.after;
      if (body) {
        const json = await readJson(request.headers, incoming, maxBody);
        if (json !== undefined) input.body = parse(body, json);
        else if (!bodyOptional) throw new ZooError('invalid_format', 'A JSON body is required');
      }
      return input;
    },
  };
}

/** The revision that `If-Match` names; `*` matches any, as does its absence. */
function parseIfMatch(header: string | null): number | undefined {
  if (header === null || header === '*') return undefined;
  const revision = /^(?:W\/)?("?)(\d{1,15})\1$/.exec(header)?.[2];
  if (revision !== undefined) return Number(revision);
  throw new ZooError(
    'invalid_arguments',
    `If-Match: ${JSON.stringify(header)} is not a revision such as "5"`,
  );
}

/** Newer than `after`: a browser that reconnects sends both. */
function parseLastEventId(header: string | null): number | undefined {
  if (header === null || header === '') return undefined;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  throw new ZooError(
    'invalid_arguments',
    `Last-Event-ID: ${JSON.stringify(header)} is not the id of an event`,
  );
}
