import { describe, expect, it } from 'vitest';
import { JsonSchemaDefinition, toJsonSchema, ToolInputSchema } from './parameters.ts';

describe('parameters of a published tool', () => {
  it('nest, and are written as JSON Schema 2020-12 with tuples as prefixItems', () => {
    const schema = ToolInputSchema.parse({
      type: 'object',
      properties: {
        to: { type: 'string', description: 'City', enum: ['Paris', 'Rome'], default: 'Paris' },
        legs: {
          type: 'array',
          items: { type: 'object', properties: { day: { type: 'integer', minimum: 1 } } },
        },
        pair: { type: 'array', items: [{ type: 'number' }, { type: 'boolean', default: true }] },
        rest: { type: 'object', additionalProperties: { type: 'array', items: [{ type: 'string' }] } },
      },
      required: ['to'],
    });
    expect(toJsonSchema(schema)).toEqual({
      type: 'object',
      properties: {
        to: { type: 'string', description: 'City', enum: ['Paris', 'Rome'], default: 'Paris' },
        legs: {
          type: 'array',
          items: { type: 'object', properties: { day: { type: 'integer', minimum: 1 } } },
        },
        pair: {
          type: 'array',
          prefixItems: [{ type: 'number' }, { type: 'boolean', default: true }],
          items: false,
        },
        rest: {
          type: 'object',
          additionalProperties: { type: 'array', prefixItems: [{ type: 'string' }], items: false },
        },
      },
      required: ['to'],
    });
  });

  it.each([
    ['a default of another type', { type: 'string', default: 5 }],
    ['an enum of another type', { type: 'integer', enum: [1, 'two'] }],
    ['a fraction where an integer belongs', { type: 'integer', default: 1.5 }],
    ['no type', { description: 'x' }],
    ['a type we do not have', { type: 'null' }],
    ['an array of nothing in particular', { type: 'array' }],
    ['a word of another type', { type: 'boolean', minLength: 1 }],
    ['a required property that is not there', { type: 'object', required: ['gone'] }],
  ])('refuses %s', (_name, schema) => {
    expect(JsonSchemaDefinition.safeParse(schema).success).toBe(false);
  });

  it('are an object at the root', () => {
    expect(ToolInputSchema.safeParse({ type: 'string' }).success).toBe(false);
  });
});
