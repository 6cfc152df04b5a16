import * as z from 'zod';
import { api } from '../../contract/api.ts';
import { contractExports } from '../../contract/table/named-schemas.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import { type Operation, UNIVERSAL_ERRORS } from '../../contract/table/operation.ts';
import { ERROR_FORMS } from './error-reply.ts';

type Json = Record<string, unknown>;

const SCHEMAS = '#/components/schemas/';
/** The table of operations as an OpenAPI 3.1 document. */
export function renderOpenApi(version: string): string {
  return JSON.stringify(createOpenApi(version)).replaceAll(`${SCHEMAS}${ANONYMOUS}#/`, `${SCHEMAS}Shared/`);
}

function createOpenApi(version: string): Json {
  const { schemas, schemaOf } = convertSchemas();
  const paths: Record<string, Json> = {};
  for (const [name, operation] of Object.entries<Operation>(api)) {
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describe(name, operation, schemaOf);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Agent Zoo',
      version,
      description:
        'One hub for agents. Errors are `{"error": {"code", "message", "details"?}}`; if `code` is general, `details.reason` has the specific one.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [...new Set(Object.values<Operation>(api).map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...schemas, Error: errorSchema() },
      parameters: {
        Workspace: workspaceParameter,
        IfMatch: ifMatchParameter,
        IdempotencyKey: idempotencyKeyParameter,
        LastEventId: lastEventIdParameter,
      },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: "The operator's token (`zoo token`), or a token bound to an agent",
        },
      },
    },
  };
}

type SchemaOf = (schema: z.ZodType) => Json;

/**
 * Converts all schemas in one pass, so that named ones are written once and referenced. Bodies and outputs
 * without a name get a temporary one.
 */
function convertSchemas(): { schemas: Json; schemaOf: SchemaOf } {
  const registry = z.registry<{ id: string }>();
  const names = new Map<z.ZodType, string>();
  const add = (name: string, schema: z.ZodType | undefined): void => {
    if (!schema || names.has(schema)) return;
    names.set(schema, name);
    registry.add(schema, { id: name });
  };
  for (const [name, value] of Object.entries(contractExports))
    if (value instanceof z.ZodType) add(name, value);
  const named = new Set(names.values());
  for (const [name, { body, output }] of Object.entries<Operation>(api)) {
    add(`${name}.body`, body);
    add(`${name}.output`, output);
  }

  const { schemas } = z.toJSONSchema(registry, { io: 'input', uri: (id) => SCHEMAS + id });
  const converted = Object.entries<Json>(schemas).map(([name, schema]): [string, Json] => [
    name === ANONYMOUS ? 'Shared' : name,
    withoutIds(schema),
  ]);
  const byName = new Map(converted);
  const inline = new Set([...names.values()].filter((name) => !named.has(name)));
  return {
    schemas: Object.fromEntries(converted.filter(([name]) => !inline.has(name))),
    schemaOf(schema) {
      const name = names.get(schema);
      const json = name === undefined ? undefined : byName.get(name);
      if (name === undefined || !json) throw new Error('a schema of the table was not converted');
      return inline.has(name) ? json : { $ref: SCHEMAS + name };
    },
  };
}

/** Zod's name for a shared schema without an id; its references are not JSON pointers. */
const ANONYMOUS = '__shared';

/** One field of a path or a query. */
const fieldSchema = (field: z.ZodType): Json => withoutIds(z.toJSONSchema(field, { io: 'input' }));

const isField = (entry: [string, unknown]): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType;

function withoutIds({ $id: _id, $schema: _schema, id: _name, ...schema }: Json): Json {
  return schema;
}

function describe(name: string, operation: Operation, schemaOf: SchemaOf): Json {
  const { tag, summary, access, body, bodyOptional } = operation;
  return {
    operationId: name,
    tags: [tag],
    summary,
    ...(access === 'public' ? { security: [] } : {}),
    parameters: parametersOf(operation),
    ...(body
      ? {
          requestBody: {
            required: !bodyOptional,
            content: { 'application/json': { schema: schemaOf(body) } },
          },
        }
      : {}),
    responses: { ...success(operation, schemaOf), ...failures(operation) },
  };
}

function parametersOf({ params, query, conditional, once, kind, ends, access }: Operation): Json[] {
  const list = (place: 'path' | 'query', schema: z.ZodObject | undefined): Json[] =>
    Object.entries(schema?.shape ?? {})
      .filter(isField)
      .map(([name, field]) => ({
        name,
        in: place,
        required: place === 'path' || !(field instanceof z.ZodOptional),
        schema: fieldSchema(field),
      }));
  return [
    ...list('path', params),
    ...list('query', query),
    ...(conditional ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
    ...(once ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(kind === 'stream' && !ends ? [{ $ref: '#/components/parameters/LastEventId' }] : []),
    ...(access === 'public' ? [] : [{ $ref: '#/components/parameters/Workspace' }]),
  ];
}

function success(operation: Operation, schemaOf: SchemaOf): Json {
  const { status, kind, output, envelope, summary } = operation;
  if (status === 204) return { 204: { description: summary } };
  if (kind === 'raw') return { [status]: { description: summary } };
  const value = schemaOf(output);
  const schema =
    envelope === 'result' ? { type: 'object', properties: { result: value }, required: ['result'] } : value;
  const type = kind === 'stream' ? 'text/event-stream' : 'application/json';
  const versioned = output instanceof z.ZodObject && 'revision' in output.shape;
  return {
    [status]: {
      description: kind === 'stream' ? 'Each event is the data of one server-sent event' : summary,
      ...(versioned
        ? { headers: { ETag: { description: 'The revision', schema: { type: 'string' } } } }
        : {}),
      content: { [type]: { schema } },
    },
  };
}

function failures({ errors, access, body, params, query }: Operation): Json {
  const codes = new Set<ErrorCode>([...errors, ...UNIVERSAL_ERRORS, 'foreign_host', 'foreign_origin']);
  if (access !== 'public')
    for (const code of ['unauthorized', 'workspace_not_found', 'out_of_scope'] as const) codes.add(code);
  if (params || query || body) codes.add('invalid_arguments');
  if (body) for (const code of ['invalid_format', 'too_large'] as const) codes.add(code);
  const statuses = [...new Set([...codes].map((code) => ERROR_FORMS[code].status))];
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: [...codes].filter((code) => ERROR_FORMS[code].status === status).join(', '),
        content: { 'application/json': { schema: { $ref: `${SCHEMAS}Error` } } },
      },
    ]),
  );
}

const errorSchema = (): Json => ({
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', enum: [...new Set(Object.values(ERROR_FORMS).map(({ code }) => code))] },
        message: { type: 'string' },
        details: {
          type: 'object',
          properties: { reason: { type: 'string', enum: Object.keys(ERROR_FORMS) } },
        },
      },
    },
  },
});

const workspaceParameter = {
  name: 'workspace',
  in: 'query',
  description:
    'The workspace: its id or, for the operator, the absolute path of a folder. Default: the folder that the hub was started in.',
  schema: { type: 'string' },
};

const ifMatchParameter = {
  name: 'If-Match',
  in: 'header',
  description:
    'The revision that the change is based on; fails with `conflict` if it is not the current one.',
  schema: { type: 'string', examples: ['"5"'] },
};

const idempotencyKeyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A unique key for this write. If it is repeated with the same key within a day, it returns the first response and changes nothing.',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
};

const lastEventIdParameter = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'The last event that the client received; the stream resumes after it.',
  schema: { type: 'integer', minimum: 0 },
};
