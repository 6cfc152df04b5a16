import { expect, it } from 'vitest';
import { createBatchWriter } from './batch-writer.ts';

it.each([0, 1, 2, 3, 4, 5])(
  'an item that is added %i microtasks after the last write has ended is written by its flush',
  async (ticks) => {
    const written: string[] = [];
    let end = (): void => undefined;
    const writer = createBatchWriter<string>({
      what: 'items',
      write: async (batch) => {
        if (written.length === 0) await new Promise<void>((resolve) => (end = resolve));
        written.push(...batch);
      },
      flushMs: 60_000,
      flushAt: 10,
      mostWaiting: 10,
      onError: () => undefined,
    });
    writer.add('first');
    const first = writer.flush();
    end();
    for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
    writer.add('second');
    await writer.flush();
    expect(written).toEqual(['first', 'second']);
    await first;
    await writer.close();
  },
);
