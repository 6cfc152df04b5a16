import { describe, expect, it } from 'vitest';
import type { ToolInputSchema } from '../../../../../../src/contract/parameters.ts';
import {
  freeName,
  propertiesOf,
  referencePaths,
  renameReferences,
  withKind,
  withProperties,
} from './edit-schema.ts';

const trip: ToolInputSchema = {
  type: 'object',
  properties: {
    to: { type: 'string', description: 'Where to' },
    seat: { type: 'object', properties: { row: { type: 'integer' } } },
  },
  required: ['to'],
};

describe('the schema builder', () => {
  it('keeps order and required names when properties are moved or renamed', () => {
    const [to, seat] = propertiesOf(trip);
    if (!to || !seat) throw new Error('two properties');
    const moved = withProperties(trip, [seat, { ...to, name: 'destination' }]);
    expect(Object.keys(moved.properties ?? {})).toEqual(['seat', 'destination']);
    expect(moved.required).toEqual(['destination']);
  });

  it('leaves `required` out when nothing is', () => {
    const none = propertiesOf(trip).map((each) => ({ ...each, required: false }));
    expect('required' in withProperties(trip, none)).toBe(false);
  });

  it('keeps the description when the kind changes', () => {
    expect(withKind({ type: 'string', description: 'Where to', maxLength: 3 }, 'integer')).toEqual({
      type: 'integer',
      description: 'Where to',
    });
  });

  it('finds a free name', () => {
    expect(freeName(propertiesOf(trip), 'to')).toBe('to_2');
    expect(freeName(propertiesOf(trip), 'from')).toBe('from');
  });

  it('lists what a template can refer to', () => {
    expect(referencePaths(trip)).toEqual(['to', 'seat', 'seat.row']);
  });

  it('renames references, and leaves text in doubled braces alone', () => {
    expect(renameReferences('{to} {to.city} {{to}} {tomorrow}', 'to', 'where')).toBe(
      '{where} {where.city} {{to}} {tomorrow}',
    );
  });
});
