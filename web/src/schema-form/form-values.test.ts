import { describe, expect, it } from 'vitest';
import type { ToolInputSchema } from '../../../src/contract/parameters.ts';
import { sampleValues, valueProblems } from './form-values.ts';

const schema: ToolInputSchema = {
  type: 'object',
  properties: {
    to: { type: 'string', minLength: 2, examples: ['Oslo'] },
    seats: { type: 'integer', minimum: 1, maximum: 9, default: 1 },
    cabin: { type: 'string', enum: ['economy', 'business'] },
    legs: {
      type: 'array',
      maxItems: 2,
      uniqueItems: true,
      items: { type: 'object', properties: { day: { type: 'integer' } }, required: ['day'] },
    },
  },
  required: ['to'],
};

describe('the form of a tool', () => {
  it('begins with examples, defaults and first choices', () => {
    expect(sampleValues(schema)).toEqual({ to: 'Oslo', seats: 1, cabin: 'economy', legs: [{}] });
  });

  it('accepts values that fit', () => {
    expect(valueProblems(schema, { to: 'Oslo', legs: [{ day: 1 }, { day: 2 }] }).size).toBe(0);
  });

  it('names every value that does not, with its path', () => {
    const values = { to: 'O', seats: 1.5, cabin: 'first', legs: [{ day: 1 }, { day: 1 }, {}] };
    expect(Object.fromEntries(valueProblems(schema, values))).toEqual({
      to: 'At least 2 characters.',
      seats: 'Must be a whole number.',
      cabin: 'Must be one of economy, business.',
      legs: 'Contains a duplicate.',
      'legs[2].day': 'Required.',
    });
    expect(Object.fromEntries(valueProblems(schema, {}))).toEqual({ to: 'Required.' });
  });
});
