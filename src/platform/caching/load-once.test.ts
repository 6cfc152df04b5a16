import { expect, it } from 'vitest';
import { loadOnce } from './load-once.ts';

it('loads once and shares the result', async () => {
  let loads = 0;
  const value = loadOnce(async () => ++loads);
  expect(value.started()).toBeUndefined();
  expect(await Promise.all([value.get(), value.get()])).toEqual([1, 1]);
  expect(await value.started()).toBe(1);
});

it('tries again after a failure', async () => {
  let loads = 0;
  const value = loadOnce(async () => {
    loads += 1;
    if (loads === 1) throw new Error('disk full');
    return loads;
  });
  const waiting = [value.get(), value.get()];
  await expect(waiting[0]).rejects.toThrow('disk full');
  await expect(waiting[1]).rejects.toThrow('disk full');
  expect(await value.get()).toBe(2);
});
