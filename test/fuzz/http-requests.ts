import { toUSVString } from 'node:util';
import * as fc from 'fast-check';
import * as z from 'zod';
import { brokenJson } from './broken-json.ts';
import { fromSchema, TROUBLE } from './from-schema.ts';

export interface FuzzRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

const Content = z.looseObject({ schema: z.unknown() });
const Parameter = z.looseObject({ name: z.string(), in: z.string(), schema: z.unknown() });
const Operation = z.looseObject({
  operationId: z.string(),
  parameters: z.array(Parameter).default([]),
  requestBody: z.looseObject({ content: z.record(z.string(), Content) }).optional(),
});
const Document = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });
export type Tool = z.infer<typeof Tool>;
export const Tool = z.looseObject({ name: z.string(), inputSchema: z.unknown() });

/** They end the hub, or wait for a person at a browser. */
const LEFT_OUT = ['stop', 'loginUpstream'];

/** Requests for every operation of the document, and for every tool, as they should be or damaged. */
export function httpRequests(openapi: unknown, tools: readonly Tool[]): fc.Arbitrary<FuzzRequest> {
  const { paths } = Document.parse(openapi);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, each]) => {
      const operation = Operation.safeParse(each);
      if (!operation.success || LEFT_OUT.includes(operation.data.operationId)) return [];
      return [requestFor(method.toUpperCase(), path, operation.data, openapi)];
    }),
  );
  const calls = tools.map(({ name, inputSchema }) =>
    fc.record({
      method: fc.constant('POST'),
      path: fc.constantFrom(`/tools/${name}`, `/tools/${name}?agent=helper`, `/api/tools/${name}/test`),
      headers: headersWith('application/json'),
      body: brokenJson(fromSchema(inputSchema, inputSchema)),
    }),
  );
  return fc.oneof(
    { weight: 6, arbitrary: fc.oneof(...operations) },
    { weight: 3, arbitrary: fc.oneof(...calls) },
    { weight: 1, arbitrary: strangeRequests(Object.keys(paths)) },
  );
}

function requestFor(
  method: string,
  path: string,
  { parameters, requestBody }: z.infer<typeof Operation>,
  document: unknown,
): fc.Arbitrary<FuzzRequest> {
  const valueOf = ({ schema }: z.infer<typeof Parameter>) =>
    fc.oneof({ weight: 5, arbitrary: fromSchema(schema, document) }, fc.constantFrom(...TROUBLE)).map(asText);
  const inPath = Object.fromEntries(
    parameters.filter((each) => each.in === 'path').map((each) => [each.name, valueOf(each)]),
  );
  const inQuery = Object.fromEntries(
    parameters.filter((each) => each.in === 'query').map((each) => [each.name, valueOf(each)]),
  );
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  return fc
    .record({
      names: fc.record(inPath),
      query: fc.record(inQuery, { requiredKeys: [] }),
      headers: headersWith(type),
      body: content ? brokenJson(fromSchema(content.schema, document)) : fc.constant(undefined),
    })
    .map(({ names, query, headers, body }) => ({
      method,
      path: `${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(names[name] ?? 'x'))}${queryOf(query)}`,
      headers,
      body,
    }));
}

/** A method, a path or headers that no operation has. */
function strangeRequests(paths: readonly string[]): fc.Arbitrary<FuzzRequest> {
  return fc.record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'PROPFIND'),
    path: fc.oneof(
      fc.constantFrom(...paths),
      fc.webPath().map((path) => `/${path}`),
      fc.constantFrom(...TROUBLE).map((each) => `/api/agents/${encoded(each)}/${encoded(each)}`),
      fc.constantFrom(
        '//',
        '/%',
        '/%00',
        '/api/agents/%ff',
        '/mcp/%2e%2e',
        '/..;/',
        `/${'a/'.repeat(3000)}`,
        '/?a=%zz',
      ),
    ),
    headers: fc.record(
      {
        'content-type': fc.constantFrom(
          'text/plain',
          'application/json; charset=utf-16',
          'multipart/form-data',
          'x',
        ),
        'content-encoding': fc.constantFrom('gzip', 'x'),
        accept: fc.constantFrom('text/html', 'text/event-stream', '*/*', 'x'),
        'last-event-id': fc.constantFrom('0', '-1', 'x', '99999999999999999999'),
        'if-match': fc.constantFrom('0', '"x"', '*'),
        origin: fc.constantFrom('http://127.0.0.1', 'null', 'http://example.com'),
        cookie: fc.constantFrom('a=b', 'zoo=x', '%'),
        'idempotency-key': fc.constantFrom('k', '', 'x'.repeat(3000)),
        range: fc.constantFrom('bytes=0-1', 'bytes=-'),
      },
      { requiredKeys: [] },
    ),
    body: fc.option(brokenJson(fc.jsonValue({ maxDepth: 3 })), { nil: undefined }),
  });
}

function headersWith(type: string | undefined): fc.Arbitrary<Record<string, string>> {
  const usual = type === undefined ? {} : { 'content-type': type };
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant(usual) },
    fc.constantFrom<Record<string, string>>(
      {},
      { ...usual, 'idempotency-key': 'once' },
      { ...usual, 'if-match': '1' },
    ),
  );
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const encoded = (value: string): string => encodeURIComponent(toUSVString(value));

function queryOf(query: Record<string, string | undefined>): string {
  const parts = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encoded(name)}=${encoded(value)}`],
  );
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}
