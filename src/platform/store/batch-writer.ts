import { messageOf } from '../text/error-message.ts';
import { retryDelay } from '../processes/retry-delay.ts';

/** A store that cannot be written at the moment. */
export interface WriteTrouble {
  message: string;
  /** Items that wait for the next attempt. */
  waiting: number;
  /** Items that were dropped since it began. */
  dropped: number;
}

/** Writes items in batches, one batch at a time. Holds a bounded number of them while writing fails. */
export interface BatchWriter<T> {
  add(item: T): void;
  /** Resolves once everything is written, or a write has failed; never rejects. */
  flush(): Promise<void>;
  isWriting(): boolean;
  trouble(): WriteTrouble | null;
  /** Tries once more to write everything. */
  close(): Promise<void>;
}

export interface BatchWriterOptions<T> {
  /** What the items are, for messages. */
  what: string;
  write(items: readonly T[]): Promise<void>;
  /** A batch is written after this time, or as soon as it is this long. */
  flushMs: number;
  flushAt: number;
  /** Beyond this many, the oldest are dropped. */
  mostWaiting: number;
  /** Once when writing begins to fail, and when items were lost. */
  onError(message: string, error: unknown): void;
}

export function createBatchWriter<T>(options: BatchWriterOptions<T>): BatchWriter<T> {
  const { what, write, flushMs, flushAt, mostWaiting, onError } = options;
  let waiting: T[] = [];
  let writing = Promise.resolve();
  let isWriting = false;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let dropped = 0;
  let lastError: unknown = null;

  function bound(): void {
    const excess = waiting.length - mostWaiting;
    if (excess <= 0) return;
    waiting.splice(0, excess);
    dropped += excess;
  }

  function schedule(ms: number): void {
    timer ??= setTimeout(() => void flush(), ms).unref();
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, flushAt);
      try {
        await write(batch);
        recovered();
      } catch (error) {
        waiting = [...batch, ...waiting];
        bound();
        if (failures === 0) onError(`${what} could not be recorded; retrying`, error);
        lastError = error;
        schedule(retryDelay(failures));
        failures += 1;
        break;
      }
    }
    // In the same tick as the last check of the queue: items added from now on start another write.
    isWriting = false;
  }

  function recovered(): void {
    if (dropped > 0) onError(`${dropped} ${what} were not recorded`, lastError);
    failures = 0;
    dropped = 0;
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (!isWriting) writing = writeAll();
    return writing;
  }

  return {
    add(item) {
      waiting.push(item);
      bound();
      // While writing fails, only the timer tries again.
      if (failures === 0 && waiting.length >= flushAt) void flush();
      else schedule(flushMs);
    },
    flush,
    isWriting: () => isWriting,
    trouble: () =>
      failures === 0 ? null : { message: messageOf(lastError), waiting: waiting.length, dropped },
    async close() {
      await flush();
      // A write that was already running may have left later items behind.
      if (waiting.length > 0) await flush();
      clearTimeout(timer);
      const lost = waiting.length + dropped;
      if (lost > 0) onError(`${lost} ${what} were not recorded`, lastError);
    },
  };
}
