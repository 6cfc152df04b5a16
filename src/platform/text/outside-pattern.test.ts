import { expect, it } from 'vitest';
import { compileOutsidePattern } from './outside-pattern.ts';
import { processorMs } from '../../../test/processor-time.ts';

it.each([
  ['^[a-z]+$', 'abc', true],
  ['^[a-z]+$', 'ABC', false],
  ['b', 'abc', true],
  ['^\\d{4}-\\d{2}$', '2026-11', true],
  ['^[^\\s@]+@[^\\s@]+\\.[a-z]+$', 'a@b.example', true],
  ['^\\p{Lu}\\/x', 'É/x', true],
  ['(?<year>\\d+)', 'in 2026', true],
])('%s on %s is %s', (pattern, text, fits) => {
  expect(compileOutsidePattern(pattern, 'u')?.test(text)).toBe(fits);
});

it('takes flags', () => {
  expect(compileOutsidePattern('^ABC$', 'i')?.test('abc')).toBe(true);
  expect(compileOutsidePattern('^b.c$', 'ms')?.test('a\nb\nc')).toBe(true);
  expect(compileOutsidePattern('a', 'y')).toBeNull();
});

it('runs in linear time', () => {
  const started = processorMs();
  expect(compileOutsidePattern('^(a+)+$')?.test(`${'a'.repeat(100_000)}!`)).toBe(false);
  expect(compileOutsidePattern(`${'x*'.repeat(400)}y`)?.test('x'.repeat(2000))).toBe(false);
  expect(processorMs() - started).toBeLessThan(5000);
});

it.each(['(?=a)b', '(a)\\1', '(x{1000}){1000}', '(', 'x'.repeat(1001)])(
  'does not support %.20s',
  (pattern) => {
    expect(compileOutsidePattern(pattern)).toBeNull();
  },
);
