import { expect, test } from 'vitest';
import { createSlots } from './slots.ts';

test('turns share all slots, and those of one harness have a limit of their own', () => {
  const slots = createSlots(() => ({ total: 3, of: (harness) => (harness === 'narrow' ? 1 : 3) }));
  expect([slots.take('narrow'), slots.take('narrow'), slots.take('wide'), slots.take('wide')]).toEqual([
    true,
    false,
    true,
    true,
  ]);
  expect([slots.hasRoom(), slots.take('wide')]).toEqual([false, false]);
  slots.free('wide');
  expect([slots.hasRoom(), slots.take('narrow'), slots.take('wide')]).toEqual([true, false, true]);
  slots.free('narrow');
  expect(slots.take('narrow')).toBe(true);
});
