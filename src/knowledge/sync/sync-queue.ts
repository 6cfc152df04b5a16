import type { SyncEvent } from '../../contract/knowledge.ts';

export interface SyncQueue {
  push(event: SyncEvent): void;
  end(): void;
  fail(error: unknown): void;
  /** Yields the events in order until the end, or throws the failure. */
  read(): AsyncGenerator<SyncEvent>;
}

/** Buffers events for a slower reader. Of consecutive progress events, only the latest is kept. */
export function createSyncQueue(): SyncQueue {
  const waiting: SyncEvent[] = [];
  let wake: () => void = () => undefined;
  let over: { error?: unknown } | null = null;
  const finish = (how: { error?: unknown }): void => {
    over ??= how;
    wake();
  };
  return {
    push(event) {
      if (over) return;
      const last = waiting.at(-1);
      if (last?.type === 'progress' && event.type === 'progress' && last.source === event.source)
        waiting.pop();
      waiting.push(event);
      wake();
    },
    end: () => finish({}),
    fail: (error) => finish({ error }),
    async *read() {
      for (;;) {
        const next = waiting.shift();
        if (next) yield next;
        else if (over && 'error' in over) throw over.error;
        else if (over) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
