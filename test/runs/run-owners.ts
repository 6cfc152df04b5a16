import { openSqlite } from '../../src/platform/store/databases/index.ts';
import { createRunOwnership, type RunOwnership } from '../../src/runner/runs/run-ownership.ts';
import { createRunStore } from '../../src/runner/runs/run-store.ts';
import { tempFolder } from '../temp-folder.ts';

type OnError = (message: string, error: unknown) => void;

const fail: OnError = (_, error) => {
  throw error;
};

/** For tests: a store of runs, the owners that share it, and their clock. */
export async function runOwners() {
  const folder = await tempFolder();
  const db = await openSqlite(`${folder.path}/zoo.db`, { threads: false });
  let time = Date.parse('2026-11-15T12:00:00Z');
  const now = () => new Date(time);
  const owners: RunOwnership[] = [];
  return {
    db,
    now,
    store: createRunStore(db, now),
    pass: (ms: number) => (time += ms),
    owner(name: string, onError = fail): RunOwnership {
      const ownership = createRunOwnership({
        db,
        owner: name,
        now,
        onLost: () => undefined,
        onCancelRequested: () => undefined,
        onError,
      });
      owners.push(ownership);
      return ownership;
    },
    async [Symbol.asyncDispose]() {
      for (const each of owners) each.close();
      await db.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}
