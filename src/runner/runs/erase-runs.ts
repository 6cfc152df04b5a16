import type { Transaction } from '../../platform/store/database.ts';

const TABLES = [
  'run_events',
  'run_messages',
  'run_histories',
  'run_calls',
  'run_steps',
  'published_calls',
] as const;

/** Removes runs with everything that was kept of them. */
export async function eraseRuns(tx: Transaction, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    for (const table of TABLES) await tx.run(`DELETE FROM ${table} WHERE run_id = ?`, [id]);
    await tx.run("DELETE FROM questions WHERE asker_kind = 'run' AND asker_id = ?", [id]);
    await tx.run("DELETE FROM leases WHERE kind = 'run' AND id = ?", [id]);
    await tx.run('DELETE FROM runs WHERE id = ?', [id]);
  }
}
