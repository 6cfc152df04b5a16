import { expect, it } from 'vitest';
import { saveExamples } from './save-example.ts';

it('puts values first among the examples of their parameters, nested ones included', () => {
  const saved = saveExamples(
    {
      type: 'object',
      properties: {
        city: { type: 'string', examples: ['Oslo', 'Rome'] },
        seats: { type: 'integer' },
        window: { type: 'boolean' },
        trip: { type: 'object', properties: { from: { type: 'string' } } },
        legs: { type: 'array', items: { type: 'object', properties: { day: { type: 'integer' } } } },
      },
      required: ['city'],
    },
    { city: 'Rome', seats: 2, window: true, trip: { from: 'Paris' }, legs: [{ day: 3 }, { day: 4 }] },
  );
  expect(saved).toEqual({
    type: 'object',
    properties: {
      city: { type: 'string', examples: ['Rome', 'Oslo'] },
      seats: { type: 'integer', examples: [2] },
      window: { type: 'boolean' },
      trip: { type: 'object', properties: { from: { type: 'string', examples: ['Paris'] } } },
      legs: {
        type: 'array',
        items: { type: 'object', properties: { day: { type: 'integer', examples: [3] } } },
      },
    },
    required: ['city'],
  });
});
