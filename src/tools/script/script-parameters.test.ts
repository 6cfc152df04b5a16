import { expect, test } from 'vitest';
import { parseToolFacts } from './script-parameters.ts';

const schemaOf = (parameters: unknown) => parseToolFacts(JSON.parse(JSON.stringify({ parameters })));

test('a list of parameters becomes JSON Schema', () => {
  expect(
    schemaOf([
      { name: 'summary', type: 'string', required: true, description: 'What' },
      { name: 'count', type: 'integer', default: 3, minimum: 1 },
      { name: 'unit', enum: ['a', 'b'] },
      { name: 'more', type: 'object', properties: [] },
    ]).facts,
  ).toMatchObject({
    description: '',
    annotations: { readOnlyHint: false, destructiveHint: true },
    inputSchema: {
      type: 'object',
      properties: {
        summary: { type: 'string', description: 'What' },
        count: { type: 'integer', default: 3, minimum: 1 },
        unit: { enum: ['a', 'b'] },
        more: { type: 'object', properties: {} },
      },
      required: ['summary'],
      additionalProperties: false,
    },
  });
});

test('JSON Schema is kept, except for empty tables that Lua cannot tell from lists', () => {
  const { facts } = schemaOf({ type: 'object', properties: [], required: [], examples: [] });
  expect(facts?.inputSchema).toEqual({ type: 'object', properties: {}, required: [], examples: [] });
  expect(schemaOf([]).facts?.inputSchema).toMatchObject({ properties: {}, required: [] });
});

test.each([
  [
    { parameters: [{ name: 'a' }, { name: 'b', type: 'text' }] },
    /^parameters\[2\]\.type must be one of "string"/,
  ],
  [{ parameters: [{ type: 'string' }] }, /^parameters\[1\]\.name is missing/],
  [{ parameters: [{ name: 'a' }, { name: 'a' }] }, /duplicate name 'a'/],
  [{ parameters: { type: 'array' } }, /^parameters\.type must be "object"/],
  [{ description: 1 }, /^description must be text, not a number/],
  [{ paramters: [] }, /^paramters: unknown field/],
])('%j is reported with its mistake', (table, message) => {
  expect(parseToolFacts(JSON.parse(JSON.stringify(table)))).toMatchObject({
    facts: null,
    problems: [expect.stringMatching(message)],
  });
});
