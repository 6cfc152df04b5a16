import { describe, expect, it } from 'vitest';
import { changesBetween } from './changes.ts';

describe('changes between two definitions', () => {
  it.each([
    ['nothing', { a: 1, b: [1, 2] }, { a: 1, b: [1, 2] }, []],
    ['a field', { a: 1 }, { a: 2 }, [{ path: 'a', before: 1, after: 2 }]],
    ['a field that is new', {}, { a: null }, [{ path: 'a', before: null, after: null }]],
    [
      'a field of an item, by its id',
      {
        skills: [
          { id: 'x', enabled: true },
          { id: 'y', enabled: true },
        ],
      },
      {
        skills: [
          { id: 'x', enabled: true },
          { id: 'y', enabled: false },
        ],
      },
      [{ path: 'skills.y.enabled', before: true, after: false }],
    ],
    [
      'a removed item',
      { skills: [{ id: 'x' }, { id: 'y' }] },
      { skills: [{ id: 'y' }] },
      [{ path: 'skills.x', before: { id: 'x' }, after: null }],
    ],
    [
      'the order of items',
      { skills: [{ id: 'x' }, { id: 'y' }] },
      { skills: [{ id: 'y' }, { id: 'x' }] },
      [{ path: 'skills', before: ['x', 'y'], after: ['y', 'x'] }],
    ],
    [
      'a list of plain values',
      { t: ['a'] },
      { t: ['a', 'b'] },
      [{ path: 't', before: ['a'], after: ['a', 'b'] }],
    ],
    ['null to a list', { t: null }, { t: [] }, [{ path: 't', before: null, after: [] }]],
  ])('%s', (_name, before, after, expected) => {
    expect(changesBetween(before, after)).toEqual(expected);
  });
});
