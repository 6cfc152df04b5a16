import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob } from './name-glob.ts';
import { leastProcessorMs } from '../../../test/processor-time.ts';

describe('a glob', () => {
  it.each([
    ['github.*', 'github.list', true],
    ['github.*', 'github.', true],
    ['github.*', 'github', false],
    ['*.list', 'github.list', true],
    ['*', '', true],
    ['a*a', 'a', false],
    ['a*b*c', 'axxbyyc', true],
    ['a*b*c', 'acb', false],
    ['a.c', 'abc', false],
    ['a**b', 'ab', true],
    ['[a]*', '[a]x', true],
  ])('%s and %s: %s', (pattern, name, fits) => {
    expect(compileGlob(pattern)(name)).toBe(fits);
  });

  it('matches like the equivalent expression', () => {
    const text = (unit: string) => fc.string({ unit: fc.constantFrom(...unit), maxLength: 8 });
    const naive = (pattern: string, name: string): boolean => {
      if (pattern === '') return name === '';
      if (pattern.startsWith('*')) {
        return naive(pattern.slice(1), name) || (name !== '' && naive(pattern, name.slice(1)));
      }
      return name !== '' && pattern[0] === name[0] && naive(pattern.slice(1), name.slice(1));
    };
    fc.assert(
      fc.property(text('ab*'), text('ab'), (pattern, name) => {
        expect(compileGlob(pattern)(name)).toBe(naive(pattern, name));
      }),
      { numRuns: 3000 },
    );
  });

  it('takes linear time for any pattern', () => {
    const fits = compileGlob(`${'*a'.repeat(5000)}*b`);
    const name = 'a'.repeat(50_000);
    expect(leastProcessorMs(() => expect(fits(name)).toBe(false))).toBeLessThan(100);
  });
});
