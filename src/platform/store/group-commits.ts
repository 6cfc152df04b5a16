import type { Database, Transaction } from './database.ts';

/** Others wait for the write lock meanwhile. */
const MOST_IN_GROUP = 100;

interface Turn {
  /** Returns what to call once it is on disk. */
  work(tx: Transaction): Promise<() => void>;
  reject(error: unknown): void;
}

/**
 * `transaction` for a room with many small writes: those that wait at the same time share a commit, which takes far
 * longer than their statements. Each is still all or nothing, and resolves once it is on disk. They run in order, so
 * `work` must not wait for an earlier transaction to resolve.
 */
export function groupCommits(db: Pick<Database, 'transaction'>): Database['transaction'] {
  const waiting: Turn[] = [];
  let isRunning = false;

  async function runGroups(): Promise<void> {
    isRunning = true;
    for (let first = waiting.shift(); first; first = waiting.shift()) await runGroup(db, first, waiting);
    isRunning = false;
  }

  return <T>(work: (tx: Transaction) => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({
        async work(tx) {
          const value = await work(tx);
          return () => resolve(value);
        },
        reject,
      });
      if (!isRunning) void runGroups();
    });
}

async function runGroup(db: Pick<Database, 'transaction'>, first: Turn, waiting: Turn[]): Promise<void> {
  const taken = [first];
  try {
    const settlers = await db.transaction(async (tx) => {
      // If this one fails, so does the group, which has no other members yet.
      const done = [await first.work(tx)];
      while (taken.length < MOST_IN_GROUP) {
        const turn = waiting.shift();
        if (!turn) break;
        taken.push(turn);
        done.push(await takeInside(tx, turn));
      }
      return done;
    });
    for (const settle of settlers) settle();
  } catch (error) {
    for (const { reject } of taken) reject(error);
  }
}

/**
 * A failed transaction leaves nothing in the group. It is rejected after the commit: it may have failed because of a
 * write in this group, which its caller reads next.
 */
async function takeInside(tx: Transaction, { work, reject }: Turn): Promise<() => void> {
  try {
    // Statements are executed in order, so nothing is gained by waiting for the first.
    const [, resolve] = await Promise.all([tx.run('SAVEPOINT turn'), work(tx)]);
    // Not awaited, so that it is sent together with the next statement; a savepoint that exists can be released.
    tx.run('RELEASE turn').catch(() => undefined);
    return resolve;
  } catch (error) {
    await tx.run('ROLLBACK TO turn');
    await tx.run('RELEASE turn');
    return () => reject(error);
  }
}
