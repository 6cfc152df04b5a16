/** How many may do something at the same time. */
export interface Slots {
  /** Waits for a slot, and holds it while the work goes on, but never longer than `holdMs`. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

export function createSlots(count: number, holdMs: number): Slots {
  const waiting: (() => void)[] = [];
  let free = count;

  function give(): void {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }

  return {
    async during(work) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      let held = true;
      const release = (): void => {
        if (held) give();
        held = false;
      };
      const timer = setTimeout(release, holdMs).unref();
      try {
        return await work();
      } finally {
        clearTimeout(timer);
        release();
      }
    },
  };
}
