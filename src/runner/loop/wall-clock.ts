/** The time limit of a run. The clock is paused while a person is asked. */
export interface WallClock {
  signal: AbortSignal;
  paused<T>(wait: () => Promise<T>): Promise<T>;
  stop(): void;
}

/** Longer timers fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

export function startWallClock(limitMs: number, now: () => number): WallClock {
  const controller = new AbortController();
  let left = limitMs;
  let startedAt = 0;
  let waiting = 0;
  let timer: NodeJS.Timeout | undefined;
  const run = (): void => {
    startedAt = now();
    timer = setTimeout(() => controller.abort(), Math.min(Math.max(0, left), LONGEST_MS)).unref();
  };
  const halt = (): void => {
    clearTimeout(timer);
    left -= now() - startedAt;
  };
  run();
  return {
    signal: controller.signal,
    async paused(wait) {
      if (waiting++ === 0) halt();
      try {
        return await wait();
      } finally {
        if (--waiting === 0) run();
      }
    },
    stop: () => clearTimeout(timer),
  };
}
