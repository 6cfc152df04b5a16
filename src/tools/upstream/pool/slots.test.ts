import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createSlots } from './slots.ts';

it('limits concurrency, and runs everything', async () => {
  const slots = createSlots(3, 10_000);
  let [running, most] = [0, 0];
  const done = await Promise.allSettled(
    Array.from({ length: 10 }, (_, index) =>
      slots.during(async () => {
        running += 1;
        most = Math.max(most, running);
        await sleep(5);
        running -= 1;
        if (index % 2) throw new Error('it failed');
        return index;
      }),
    ),
  );
  expect(most).toBe(3);
  expect(done.map(({ status }) => status)).toEqual(done.map((_, n) => (n % 2 ? 'rejected' : 'fulfilled')));
});

it('frees the slot of hanging work after a timeout, once', async () => {
  // Long enough for the short work below, even on a busy machine.
  const slots = createSlots(2, 500);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const hanging = [0, 1].map(() => slots.during(() => released));
  await Promise.all([0, 1, 2, 3].map(() => slots.during(async () => undefined)));
  release();
  await Promise.all(hanging);
  let [running, most] = [0, 0];
  await Promise.all(
    [0, 1, 2, 3, 4].map(() =>
      slots.during(async () => {
        running += 1;
        most = Math.max(most, running);
        await sleep(5);
        running -= 1;
      }),
    ),
  );
  expect(most).toBe(2);
});
