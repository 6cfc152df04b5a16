import { expect, test } from 'vitest';
import { missingIn, readSchema, shapeOf } from './read-schema.ts';

const root = {
  type: 'object',
  properties: {
    trip: { $ref: '#/$defs/trip', description: 'Where to' },
    pay: {
      oneOf: [
        { title: 'Card', type: 'object', properties: { card: { type: 'string' } } },
        { type: 'string' },
      ],
    },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    size: { type: ['integer', 'null'] },
    both: {
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { properties: { b: { type: 'number' } }, required: ['b'] },
      ],
    },
    free: {},
    loop: { $ref: '#/properties/loop' },
  },
  required: ['trip'],
  $defs: {
    trip: {
      type: 'object',
      properties: { from: { type: 'string' }, to: { enum: ['LIS', 'OPO'] }, back: { type: 'boolean' } },
      required: ['from', 'to'],
    },
  },
};
const property = (name: string) => readSchema(Reflect.get(root.properties, name), root);

test('references are followed, and keep what stands beside them', () => {
  expect(property('trip')).toMatchObject({ type: 'object', description: 'Where to' });
  expect(shapeOf(property('trip'), root)).toMatchObject({
    kind: 'object',
    properties: [
      { name: 'from', required: true },
      { name: 'to', required: true },
      { name: 'back', required: false },
    ],
  });
  expect(shapeOf(property('loop'), root)).toEqual({ kind: 'json' });
});

test('alternatives are choices, and null is not one of them', () => {
  const { kind, options } = Object(shapeOf(property('pay'), root));
  expect([kind, options.map((each: { label: string }) => each.label)]).toEqual([
    'choice',
    ['Card', 'string'],
  ]);
  expect(shapeOf(property('note'), root)).toEqual({ kind: 'text', long: false });
  expect(shapeOf(property('size'), root)).toEqual({ kind: 'number', whole: true });
});

test('the parts of allOf are one object', () => {
  expect(shapeOf(property('both'), root)).toMatchObject({
    kind: 'object',
    properties: [
      { name: 'a', required: true },
      { name: 'b', required: true },
    ],
  });
  expect(shapeOf(property('free'), root)).toEqual({ kind: 'json' });
});

test('required values that are missing are found at any depth', () => {
  expect(missingIn(root, {}, root)).toEqual(['trip.from', 'trip.to']);
  expect(missingIn(root, { trip: { from: 'BER', to: 'LIS' }, both: { a: 'x' } }, root)).toEqual(['both.b']);
});

test('a list has a schema for each position, for all items, or for both', () => {
  const text = { type: 'string' };
  const number = { type: 'number' };
  const shape = (schema: object) => shapeOf({ type: 'array', ...schema }, root);
  expect(shape({ items: text })).toEqual({ kind: 'array', places: [], items: text });
  expect(shape({ items: [text, number] })).toEqual({ kind: 'array', places: [text, number], items: null });
  expect(shape({ prefixItems: [text], items: number })).toEqual({
    kind: 'array',
    places: [text],
    items: number,
  });
  expect(shape({})).toEqual({ kind: 'json' });
});
