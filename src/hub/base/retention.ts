import type { Database } from '../../platform/store/database.ts';
import { forgetOldEvents } from '../../platform/store/events.ts';
import { forgetOldKeys } from '../../platform/store/once.ts';
import { forgetOldCounts } from '../../platform/store/stored-counts.ts';

const HOUR_MS = 60 * 60 * 1000;

export interface RetentionOptions {
  db: Database;
  now: () => Date;
  /** Removes what the rooms keep outside of the store. */
  pruneFiles(): Promise<void>;
  /** Interval between clean-ups. */
  everyMs?: number;
  log(message: string, error: unknown): void;
}

/** Removes old events, idempotency keys and token counts, now and at intervals. Returns what ends it. */
export async function startRetention({
  db,
  now,
  pruneFiles,
  everyMs = HOUR_MS,
  log,
}: RetentionOptions): Promise<() => Promise<void>> {
  const prune = async (): Promise<void> => {
    await db.transaction(async (tx) => {
      await forgetOldEvents(tx);
      await forgetOldKeys(tx, now());
      await forgetOldCounts(tx, now());
    });
    await pruneFiles().catch((error: unknown) => log('removing old files failed', error));
  };
  await prune();
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = prune().catch((error: unknown) => log('removing old rows failed', error));
  }, everyMs).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
