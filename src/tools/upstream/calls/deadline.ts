/** A time limit that can be paused, for example while a person is asked. */
export interface Deadline {
  /** Starts the time again, after progress. */
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
