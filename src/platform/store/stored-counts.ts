import type { Database, Transaction } from './database.ts';
import { loadOnce } from '../caching/load-once.ts';
import { loadTokenCounter } from '../text/token-count.ts';

/** Counts expire after this, so that those of deleted texts do not accumulate. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
/** Counting yields to the event loop after this long. */
const SLICE_MS = 8;

export interface Countable {
  /** A different text must have a different key. */
  key: string;
  text(): string | Promise<string>;
}

/** Token counts of texts that are counted repeatedly: computed once, then read from the store. */
export interface StoredCounts {
  /**
   * In the order of `wanted`. The tokenizer is loaded only for texts that have no count yet. A store that cannot be
   * read or written costs time, never the call.
   */
  count(wanted: readonly Countable[]): Promise<number[]>;
  /** Waits until all counts are written. */
  close(): Promise<void>;
}

export function createStoredCounts(
  db: Database,
  now: () => Date,
  /** A monotonic clock, in milliseconds. */
  stopwatch: () => number = () => performance.now(),
): StoredCounts {
  const counted = new Map<string, number>();
  let writing: Promise<void> = Promise.resolve();

  const stored = loadOnce(async () => {
    for (const row of await db.all('SELECT key, tokens FROM token_counts')) {
      counted.set(String(row.key), Number(row.tokens));
    }
  });

  async function add(missing: readonly Countable[]): Promise<void> {
    const countTokens = await loadTokenCounter();
    const added: [string, number][] = [];
    let turn = stopwatch();
    for (const { key, text } of missing) {
      if (counted.has(key)) continue;
      const tokens = countTokens(await text());
      counted.set(key, tokens);
      added.push([key, tokens]);
      if (stopwatch() - turn < SLICE_MS) continue;
      await new Promise(setImmediate);
      turn = stopwatch();
    }
    // A count that was not written is computed again after a restart.
    writing = writing.then(() => write(added)).catch(() => undefined);
  }

  async function write(added: readonly (readonly [string, number])[]): Promise<void> {
    if (added.length === 0) return;
    const at = now().toISOString();
    const sql =
      'INSERT INTO token_counts (key, tokens, at) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET tokens = excluded.tokens, at = excluded.at';
    await db.transaction(async (tx) => {
      for (const [key, tokens] of added) await tx.run(sql, [key, tokens, at]);
    });
  }

  return {
    async count(wanted) {
      await stored.get().catch(() => undefined);
      const missing = wanted.filter(({ key }) => !counted.has(key));
      if (missing.length > 0) await add(missing);
      return wanted.map(({ key }) => counted.get(key) ?? 0);
    },
    close: () => writing,
  };
}

export async function forgetOldCounts(tx: Transaction, now: Date): Promise<void> {
  await tx.run('DELETE FROM token_counts WHERE at < ?', [new Date(now.getTime() - KEPT_MS).toISOString()]);
}
