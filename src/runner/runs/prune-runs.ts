import type { Database } from '../../platform/store/database.ts';
import { eraseRuns } from './erase-runs.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Events are kept so that followers can reconnect; afterwards the stored steps are enough. */
const EVENTS_MS = DAY_MS;
const BATCH = 100;

export interface RunRetention {
  keepDays: number;
  keepMb: number;
}

/** Removes old runs, by age and then by size, oldest first; those of chats stay. Returns how many. */
export async function pruneRuns(
  db: Database,
  now: Date,
  { keepDays, keepMb }: RunRetention,
): Promise<number> {
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString();
  await db.transaction((tx) =>
    tx.run('DELETE FROM run_events WHERE run_id IN (SELECT id FROM runs WHERE ended_at < ?)', [
      before(EVENTS_MS),
    ]),
  );
  const old = await ids(db, `${LAST_AT} < ?`, [before(keepDays * DAY_MS)]);
  const large = await oversized(db, keepMb * 1024 * 1024, new Set(old));
  const doomed = [...old, ...large];
  for (let from = 0; from < doomed.length; from += BATCH) {
    await db.transaction((tx) => eraseRuns(tx, doomed.slice(from, from + BATCH)));
  }
  const conversations = await pruneForeignChats(db, before(keepDays * DAY_MS));
  // Calls whose run was never started, because the hub was killed in between.
  await db.transaction((tx) =>
    tx.run('DELETE FROM published_calls WHERE created_at < ? AND run_id NOT IN (SELECT id FROM runs)', [
      before(DAY_MS),
    ]),
  );
  return doomed.length + conversations;
}

/** Chats are kept until a person deletes them, except those that callers of published tools and A2A began. */
async function pruneForeignChats(db: Database, before: string): Promise<number> {
  const rows = await db.all(
    `SELECT id FROM chats
     WHERE updated_at < ? AND (surface = 'a2a' OR id IN (SELECT context_id FROM published_calls))
       AND id NOT IN (SELECT chat_id FROM runs WHERE chat_id IS NOT NULL AND ended_at IS NULL)`,
    [before],
  );
  let count = 0;
  for (const { id } of rows) {
    const runs = await db.all('SELECT id FROM runs WHERE chat_id = ?', [String(id)]);
    count += runs.length;
    await db.transaction(async (tx) => {
      await eraseRuns(
        tx,
        runs.map((run) => String(run.id)),
      );
      await tx.run('DELETE FROM chats WHERE id = ?', [String(id)]);
    });
  }
  return count;
}

/** Interrupted runs have not ended, but nobody has resumed them. */
const PRUNABLE = "chat_id IS NULL AND (ended_at IS NOT NULL OR state = 'interrupted')";
const LAST_AT = 'COALESCE(ended_at, created_at)';

async function ids(db: Database, where: string, params: readonly string[]): Promise<string[]> {
  const rows = await db.all(`SELECT id FROM runs WHERE ${PRUNABLE} AND ${where} ORDER BY ${LAST_AT}`, params);
  return rows.map(({ id }) => String(id));
}

/** The oldest runs beyond this many bytes of text. */
async function oversized(db: Database, bytes: number, except: ReadonlySet<string>): Promise<string[]> {
  const rows = await db.all(
    `SELECT id, LENGTH(request) + LENGTH(text) + COALESCE(LENGTH(resolved), 0)
       + COALESCE((SELECT SUM(LENGTH(answer) + LENGTH(joined)) FROM run_steps WHERE run_id = runs.id), 0)
       + COALESCE((SELECT SUM(LENGTH(result)) FROM run_calls WHERE run_id = runs.id), 0)
       + COALESCE((SELECT SUM(LENGTH(messages)) FROM run_histories WHERE run_id = runs.id), 0)
       + COALESCE((SELECT SUM(LENGTH(event)) FROM run_events WHERE run_id = runs.id), 0) AS size
     FROM runs WHERE ${PRUNABLE} ORDER BY ${LAST_AT} DESC`,
  );
  let total = 0;
  return rows.flatMap(({ id, size }) => {
    total += Number(size);
    return total > bytes && !except.has(String(id)) ? [String(id)] : [];
  });
}
