import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it } from 'vitest';
import { api } from '../../contract/api.ts';
import { renderOpenApi } from './openapi.ts';

const document = JSON.parse(renderOpenApi('1.2.3'));

it('is an OpenAPI 3.1 document', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(validator.version).toBe('3.1');
});

it('has every operation once, and no dangling references', () => {
  const ids = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  );
  expect(ids.toSorted()).toEqual(Object.keys(api).toSorted());
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
    ([, target = '']) => target,
  );
  const dangling = references.filter(
    (target) =>
      target
        .slice(2)
        .split('/')
        .reduce((at, key) => at?.[key], document) === undefined,
  );
  expect(dangling).toEqual([]);
  expect(JSON.stringify(document)).not.toContain('__shared');
});

it('describes parameters, responses and errors', () => {
  const patch = document.paths['/api/agents/{id}'].patch;
  expect(patch.parameters).toEqual([
    { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
    { $ref: '#/components/parameters/IfMatch' },
    { $ref: '#/components/parameters/IdempotencyKey' },
    { $ref: '#/components/parameters/Workspace' },
  ]);
  expect(patch.requestBody.required).toBe(true);
  expect(patch.responses['200'].content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/SavedAgent',
  });
  expect(Object.keys(patch.responses)).toEqual(
    expect.arrayContaining(['400', '401', '403', '404', '409', '413', '500']),
  );
  const brain = document.paths['/api/agents/{id}/brain'].get;
  expect(brain.parameters).toContainEqual({
    name: 'tags',
    in: 'query',
    required: false,
    schema: expect.objectContaining({ type: 'array' }),
  });
  const resolve = document.paths['/agents/{name}/prompt'].post;
  expect(resolve.requestBody.required).toBe(false);
  expect(resolve.responses['200'].content['application/json'].schema.properties.result).toEqual({
    $ref: '#/components/schemas/ResolvedAgent',
  });
  expect(document.paths['/health'].get.security).toEqual([]);
});
