const QUIET_MS = 120;
const AT_LATEST_MS = 500;

export interface DueSync {
  /** Call this after a change. */
  due(): void;
  /** Cancels a scheduled run, and waits for the one in progress. */
  close(): Promise<void>;
}

/** Debounces runs: one starts after a quiet moment, but within half a second, and another follows if it became due meanwhile. */
export function createDueSync(run: () => Promise<void>, onError: (error: unknown) => void): DueSync {
  let timer: NodeJS.Timeout | undefined;
  let firstAt = 0;
  let running: Promise<void> | null = null;
  let missed = false;
  let closed = false;

  function start(): void {
    timer = undefined;
    if (closed) return;
    running = run()
      .catch(onError)
      .finally(() => {
        running = null;
        if (!missed) return;
        missed = false;
        due();
      });
  }

  function due(): void {
    if (closed) return;
    if (running) {
      missed = true;
      return;
    }
    const now = performance.now();
    if (timer === undefined) firstAt = now;
    clearTimeout(timer);
    timer = setTimeout(start, Math.max(0, Math.min(QUIET_MS, firstAt + AT_LATEST_MS - now)));
  }

  return {
    due,
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
