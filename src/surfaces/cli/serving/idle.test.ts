import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { untilIdle } from './idle.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

function watched() {
  const use = { open: 0, lastAt: performance.now() };
  const ended = vi.fn<() => void>();
  const stop = new AbortController();
  void untilIdle([() => use], { ZOO_IDLE_MS: '1000' }, stop.signal).then(ended);
  return { use, ended, stop };
}

it('gives the bridge that started a hub time to connect', async () => {
  const { ended } = watched();
  await vi.advanceTimersByTimeAsync(9_000);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(ended).toHaveBeenCalledOnce();
});

it('waits for the idle time after the last use, and never ends during one', async () => {
  const { use, ended } = watched();
  use.open = 1;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ended).not.toHaveBeenCalled();
  use.open = 0;
  use.lastAt = performance.now();
  await vi.advanceTimersByTimeAsync(500);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(ended).toHaveBeenCalledOnce();
});

it('stops with its signal', async () => {
  const { ended, stop } = watched();
  stop.abort();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ended).not.toHaveBeenCalled();
});
