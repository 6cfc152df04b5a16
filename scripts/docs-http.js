import * as z from 'zod';
import { createShapeWriter, fieldsOf, isOptional } from './docs-shape.js';

/** @typedef {import('../src/contract/table/operation.ts').Operation} Operation */
/** @typedef {import('./docs-sources.js').Sources} Sources */

const who = { public: 'everybody', agent: 'the operator, or the agent itself', operator: 'the operator' };

/**
 * Every operation with what it takes and answers, and the shapes that have a name.
 * @param {Pick<Sources, 'api' | 'shapes' | 'ERROR_FORMS'>} sources
 */
export function renderOperations({ api, shapes, ERROR_FORMS }) {
  const { write, writeObject, used } = createWriters(shapes);
  const operations = Object.entries(/** @type {Record<string, Operation>} */ (api));
  const tags = [...new Set(operations.map(([, { tag }]) => tag))];
  const details = tags.flatMap((tag) => [
    `## ${tag.charAt(0).toUpperCase()}${tag.slice(1)}`,
    ...operations
      .filter(([, operation]) => operation.tag === tag)
      .map(([name, operation]) => detail(name, operation)),
  ]);

  /** @param {string} name @param {Operation} operation */
  function detail(name, { method, path, summary, access, query, body, bodyOptional, ...rest }) {
    const { conditional, once, kind, status, envelope, output, errors } = rest;
    const content = {
      unary:
        status === 204
          ? 'no content'
          : envelope === 'result'
            ? `{ result: ${write(output)} }`
            : writeObject(output),
      stream: `server-sent events, each ${write(output)}`,
      raw: 'see above',
    };
    const facts = [
      ['For', who[access]],
      ['Query', list(query)],
      ['Header', conditional ? '`If-Match`: the revision that the change is based on' : ''],
      ['Header', once ? '`Idempotency-Key`: repeating the write with the same key has no effect' : ''],
      ['Body', body ? `${writeObject(body)}${bodyOptional ? '; optional' : ''}` : ''],
      ['Response', kind === 'raw' ? `${status}` : `${status}, ${content[kind]}`],
      ['Errors', errors.map((code) => `\`${code}\` (${ERROR_FORMS[code].status})`).join(', ')],
    ];
    return [
      `### ${name}`,
      `\`${method} ${path}\``,
      `${summary}.`,
      facts.flatMap(([title, text]) => (text ? [`- ${title}: ${text}`] : [])).join('\n'),
    ].join('\n\n');
  }

  /** @param {z.ZodObject | undefined} schema */
  function list(schema) {
    return fieldsOf(schema ?? z.object({}))
      .map(([name, field]) => `\`${name}\`${isOptional(field) ? '' : ' (required)'}: ${write(field)}`)
      .join('; ');
  }

  const overview = [
    '| | | |',
    '| --- | --- | --- |',
    ...operations.map(
      ([name, { method, path, summary }]) =>
        `| ${method} | [\`${path}\`](#${name.toLowerCase()}) | ${summary} |`,
    ),
  ];
  return ['## Overview', overview.join('\n'), ...details, '## Shapes', ...renderShapes(used, write)].join(
    '\n\n',
  );
}

/** @param {Sources['shapes']} shapes */
function createWriters(shapes) {
  const named = new Map(
    Object.entries(shapes).flatMap(([name, schema]) =>
      schema instanceof z.ZodObject && name !== 'ToolInputSchema' ? [[schema, name]] : [],
    ),
  );
  /** @type {Map<string, z.ZodObject>} those that were referred to, so that they are explained */
  const used = new Map();
  const write = createShapeWriter((schema) => {
    if (schema === shapes.ToolInputSchema || schema === shapes.JsonSchemaDefinition) return 'JSON Schema';
    const name = schema instanceof z.ZodObject ? named.get(schema) : undefined;
    if (name === undefined || !(schema instanceof z.ZodObject)) return undefined;
    used.set(name, schema);
    return `[${name}](#${name.toLowerCase()})`;
  });

  /** What extends a named shape is that shape and what it adds. @param {z.core.$ZodType} schema */
  function writeObject(schema) {
    if (!(schema instanceof z.ZodObject) || named.has(schema)) return write(schema);
    const [base] = [...named.keys()]
      .filter(
        (one) =>
          fieldsOf(one).length > 1 && fieldsOf(one).every(([key, field]) => schema.shape[key] === field),
      )
      .toSorted((a, b) => fieldsOf(b).length - fieldsOf(a).length);
    if (!base) return write(schema);
    const added = Object.fromEntries(fieldsOf(schema).filter(([key]) => !(key in base.shape)));
    return `${write(base)} with ${write(z.object(added))}`;
  }
  return { write, writeObject, used };
}

/**
 * @param {Map<string, z.ZodObject>} used grows while shapes are written that refer to others
 * @param {ReturnType<typeof createShapeWriter>} write
 */
function renderShapes(used, write) {
  /** @type {Map<string, string>} */
  const written = new Map();
  for (const [name, schema] of used) {
    const rows = fieldsOf(schema).map(
      ([key, field]) => `| \`${key}\`${isOptional(field) ? ' (optional)' : ''} | ${write(field)} |`,
    );
    written.set(name, [`### ${name}`, ['| field | |', '| --- | --- |', ...rows].join('\n')].join('\n\n'));
  }
  return [...written].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
}
