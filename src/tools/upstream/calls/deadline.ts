/** A time limit that does not run while somebody else is waited for. */
export interface Deadline {
  /** Begins anew: there was a sign of life. */
  restart(): void;
  pause(): void;
  resume(): void;
  stop(): void;
}

export function createDeadline(ms: number, onOver: () => void): Deadline {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let paused = false;
  const start = (): void => {
    clearTimeout(timer);
    if (!stopped && !paused) timer = setTimeout(onOver, ms).unref();
  };
  start();
  return {
    restart: start,
    pause() {
      paused = true;
      clearTimeout(timer);
    },
    resume() {
      if (!paused) return;
      paused = false;
      start();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
