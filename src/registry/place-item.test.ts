import { expect, test } from 'vitest';
import { placeItem } from './place-item.ts';

const items = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
const order = (before: string | null | undefined, id = 'c') =>
  placeItem(items, { id }, before)
    .map((item) => item.id)
    .join('');

test('an item moves before another, to the end, or stays', () => {
  expect([order('a'), order('b'), order(undefined), order('c'), order(null, 'a')]).toEqual([
    'cab',
    'acb',
    'abc',
    'abc',
    'bca',
  ]);
});

test('an unknown id in `before` is rejected with an error that names it', () => {
  expect(() => order('x')).toThrow("before: unknown id 'x'. Known: a, b");
});
