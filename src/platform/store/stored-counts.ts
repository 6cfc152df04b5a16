import type { Database, Transaction } from './database.ts';
import { loadTokenCounter } from '../text/token-count.ts';

/** After so long a count is made anew, so that those of texts that are gone do not pile up. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
/** Counting goes on after others had their turn. */
const SLICE_MS = 8;

export interface Countable {
  /** Another text has another key. */
  key: string;
  text(): string | Promise<string>;
}

/** Tokens of texts that are asked for again and again: counted once, and kept in the store. */
export interface StoredCounts {
  /** In the order that was asked for. The tokenizer is loaded only if one of them is new. */
  count(wanted: readonly Countable[]): Promise<number[]>;
  /** Writes what has been counted. */
  close(): Promise<void>;
}

export function createStoredCounts(
  db: Database,
  now: () => Date,
  /** In milliseconds, from anywhere. */
  stopwatch: () => number = () => performance.now(),
): StoredCounts {
  let known: Promise<Map<string, number>> | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function load(): Promise<Map<string, number>> {
    const rows = await db.all('SELECT key, tokens FROM token_counts');
    return new Map(rows.map((row) => [String(row.key), Number(row.tokens)]));
  }

  async function add(counts: Map<string, number>, missing: readonly Countable[]): Promise<void> {
    const countTokens = await loadTokenCounter();
    const added: [string, number][] = [];
    let turn = stopwatch();
    for (const { key, text } of missing) {
      if (counts.has(key)) continue;
      const tokens = countTokens(await text());
      counts.set(key, tokens);
      added.push([key, tokens]);
      if (stopwatch() - turn < SLICE_MS) continue;
      await new Promise(setImmediate);
      turn = stopwatch();
    }
    // A count that was not written is made again; nobody waits for it.
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
      const counts = await (known ??= load());
      const missing = wanted.filter(({ key }) => !counts.has(key));
      if (missing.length > 0) await add(counts, missing);
      return wanted.map(({ key }) => counts.get(key) ?? 0);
    },
    close: () => writing,
  };
}

export async function forgetOldCounts(tx: Transaction, now: Date): Promise<void> {
  await tx.run('DELETE FROM token_counts WHERE at < ?', [new Date(now.getTime() - KEPT_MS).toISOString()]);
}
