import { expect, it } from 'vitest';
import { memoByInputs } from './memo-by-inputs.ts';

it('computes again only when an input is a different object', () => {
  let computed = 0;
  const flat = memoByInputs((lists: readonly (readonly number[])[]) => {
    computed += 1;
    return lists.flat();
  });
  const key = {};
  const [one, two] = [[1], [2]];
  const first = flat(key, [one, two]);
  expect(first).toEqual([1, 2]);
  expect(flat(key, [one, two])).toBe(first);
  expect(computed).toBe(1);
  expect(flat(key, [one, [2]])).not.toBe(first);
  expect(flat(key, [one])).toEqual([1]);
  expect(flat({}, [one])).toEqual([1]);
  expect(computed).toBe(4);
});
