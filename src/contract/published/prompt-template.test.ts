import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillTemplate, referencesIn } from './prompt-template.ts';

const tool = { name: 'book_flight', description: 'Books a flight.' };

describe('filling a prompt template', () => {
  it("fills seed 004's book_flight", () => {
    const template =
      'The user wants to book a flight to {destination} on {departure_date}, please book accordingly';
    expect(fillTemplate(template, { destination: 'Paris, France', departure_date: '2026-12-01' }, tool)).toBe(
      'The user wants to book a flight to Paris, France on 2026-12-01, please book accordingly',
    );
  });

  it.each([
    ['{destination}', 'a value that looks like a reference'],
    ['$&', 'a replacement pattern'],
    ['{{', 'an escape'],
    ['"quoted" \'twice\'', 'quotes'],
    ['two\nlines\r\n', 'newlines'],
    ['🦜', 'an emoji'],
    ['x'.repeat(1_000_000), 'a megabyte'],
  ])('inserts %j unchanged', (value) => {
    expect(fillTemplate('<{a}|{destination}>', { a: value, destination: 'Oslo' }, tool)).toBe(
      `<${value}|Oslo>`,
    );
  });

  it('writes anything but strings as JSON, and reaches into objects and lists', () => {
    const values = { trip: { to: 'Oslo', legs: [1, 2] }, seats: 2, ok: false, none: null };
    expect(fillTemplate('{trip.to} {trip.legs} {trip.legs.1} {seats} {ok} {none} {trip}', values, tool)).toBe(
      'Oslo [1,2] 2 2 false null {"to":"Oslo","legs":[1,2]}',
    );
  });

  it('takes {name} and {description} from the tool unless a parameter has that name', () => {
    expect(fillTemplate('{name}: {description}', {}, tool)).toBe('book_flight: Books a flight.');
    expect(fillTemplate('{name}', { name: 'Ada' }, tool)).toBe('Ada');
    const withName = { ...tool, parameters: { properties: { name: { type: 'string' } } } };
    expect(fillTemplate('Greet {name}.', {}, withName)).toBe('Greet .');
    expect(fillTemplate('Greet {name}.', {}, withName, 'reference')).toBe('Greet {name}.');
  });

  it('leaves nothing for a missing optional value, and the reference in a preview', () => {
    expect(fillTemplate('to {a}.', {}, tool)).toBe('to .');
    expect(fillTemplate('to {a}.', {}, tool, 'reference')).toBe('to {a}.');
  });

  it('keeps doubled braces as one, and braces that are no reference', () => {
    expect(fillTemplate('{{a}} { a } {} {1} {"k": 1}', { a: 'x' }, tool)).toBe('{a} { a } {} {1} {"k": 1}');
  });

  it('accepts names in any script', () => {
    expect(fillTemplate('{größe} {名前}', { größe: 'XL', 名前: 'Aiko' }, tool)).toBe('XL Aiko');
  });

  it('reads own properties only', () => {
    expect(fillTemplate('{constructor}{__proto__}{a.length}', { a: 'text' }, tool)).toBe('');
  });

  it('never expands a value again', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(fillTemplate('{a}-{b}', { a, b }, tool)).toBe(`${a}-${b}`);
      }),
    );
  });
});

it('lists references once, dotted ones included', () => {
  expect(referencesIn('{a} {b.c} {a} {{d}} {name}')).toEqual(['a', 'b.c', 'name']);
});
