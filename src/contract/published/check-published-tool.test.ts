import { describe, expect, it } from 'vitest';
import { AgentPatch } from '../agent.ts';

function problemsOf(...publishedTools: unknown[]): string[] {
  const { error } = AgentPatch.safeParse({ publishedTools });
  return (error?.issues ?? []).map(({ path, message }) => `${path.slice(1).join('.')}: ${message}`);
}

const trip = {
  type: 'object',
  properties: {
    to: { type: 'string' },
    legs: { type: 'array', items: { type: 'object', properties: { day: { type: 'integer' } } } },
  },
};

describe('a published tool', () => {
  it('may refer to parameters, their parts, and itself', () => {
    const parameters = {
      type: 'object',
      properties: { trip, any: { type: 'object', additionalProperties: true } },
    };
    const prompt =
      '{name} {description} {trip} {trip.to} {trip.legs.0.day} {any.thing.at.all} {{gone}} {"a": 1}';
    expect(problemsOf({ name: 'plan', parameters, prompt })).toEqual([]);
  });

  it('is refused with every mistake in it, and in its neighbours', () => {
    const wrong = {
      name: 'no spaces',
      prompt: 'To {destnation}, {trip.too} and {trip.to.city}',
      parameters: {
        type: 'object',
        properties: {
          trip,
          destination: { type: 'string', maxLength: 3, examples: ['Oslo', 'Rom'] },
          seats: { type: 'integer', minimum: 1, maximum: 9, default: 10 },
          cabin: { type: 'string', enum: ['economy', 'business'], default: 'first' },
          odd: { type: 'number', minimum: 5, maximum: 1 },
        },
      },
    };
    const plain = { name: 'plan', prompt: 'Go.' };
    expect(problemsOf(wrong, plain, plain, { name: 'zoo_job_status', prompt: '' })).toEqual([
      '0.name: must be 1 to 64 letters, digits, `_` or `-`, as MCP requires',
      "0.prompt: {destnation}: 'destnation' is not a parameter. Parameters: trip, destination, seats, cabin, odd. Write {{destnation}} for the text itself",
      "0.prompt: {trip.too}: 'too' does not exist in 'trip'. Write {{trip.too}} for the text itself",
      "0.prompt: {trip.to.city}: 'city' does not exist in 'trip.to'. Write {{trip.to.city}} for the text itself",
      '0.parameters.properties.destination.examples.0: "Oslo" is longer than 3 characters',
      '0.parameters.properties.seats.default: 10 is greater than 9',
      '0.parameters.properties.cabin.default: "first" is not one of "economy", "business"',
      '0.parameters.properties.odd.minimum: 5 is greater than the maximum 1',
      "3.name: 'zoo_job_status' is a tool of the hub; choose another name",
      "2.name: two published tools are named 'plan'",
    ]);
  });

  it('takes output, annotations, cache, context, version and requires', () => {
    const all = {
      name: 'plan',
      prompt: 'Go.',
      output: { type: 'object', properties: { price: { type: 'number' } }, required: ['price'] },
      annotations: { readOnlyHint: true },
      cache: 60,
      context: 'shared',
      version: '2.0.0',
      requires: ['search', 'docs'],
    };
    expect(problemsOf(all)).toEqual([]);
    expect(problemsOf({ ...all, cache: -1, context: 'both', output: { type: 'string' } })).toHaveLength(3);
  });
});
