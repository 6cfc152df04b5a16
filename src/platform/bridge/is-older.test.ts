import { expect, test } from 'vitest';
import { isOlder } from './is-older.ts';

test.each([
  ['0.1.0', '0.2.0', true],
  ['0.9.0', '0.10.0', true],
  ['1.0.0-beta.1', '1.0.0', true],
  ['1.0.0', '1.0.0', false],
  ['1.0.0', '1.0.0-beta.1', false],
  ['2.0.0', '1.9.9', false],
])('%s before %s: %s', (a, b, older) => {
  expect(isOlder(a, b)).toBe(older);
});
