import { ModelMessage, NO_USAGE } from '../../contract/run.ts';
import type { Database, Statement, Transaction } from '../../platform/store/database.ts';
import { type Lease, requireLease, requireLeaseStatement } from '../../platform/store/leases.ts';
import { readStored } from '../../platform/store/stored-json.ts';
import type { Repeat, RunJournal } from '../loop/run-parts.ts';

/** The values of `run_calls.repeatable`. */
export const REPEAT = { never: 0, always: 1, once: 2 } as const satisfies Record<Repeat, number>;

export interface RunJournalOptions {
  db: Database;
  lease: Lease;
  now(): Date;
  /** Called before each entry, to write what has to come before it. */
  onWrite(): void;
}

/**
 * Each entry is on disk before the run continues, which makes it safe to resume after a crash. A process that has
 * lost its lease writes nothing, and makes no call.
 */
export function createRunJournal({ db, lease, now, onWrite }: RunJournalOptions): RunJournal {
  const runId = lease.id;
  const write = async (...statements: Statement[]): Promise<void> => {
    onWrite();
    await db.write([requireLeaseStatement(lease), ...statements]);
  };
  return {
    async joined(step, message, position) {
      onWrite();
      await db.transaction(async (tx) => {
        await requireLease(tx, lease);
        await tx.run('UPDATE run_messages SET step = ? WHERE run_id = ? AND position = ?', [
          step,
          runId,
          position,
        ]);
        await addJoined(tx, { runId, step, message, at: now().toISOString() });
      });
    },

    answered(step, model, message, { usage, total, durationMs }) {
      const startedAt = new Date(now().getTime() - durationMs).toISOString();
      return write(
        {
          sql: `INSERT INTO run_steps (run_id, step, model, joined, answer, usage, started_at, duration_ms)
            VALUES (?, ?, ?, '[]', ?, ?, ?, ?)
            ON CONFLICT (run_id, step) DO UPDATE SET model = excluded.model, answer = excluded.answer,
              usage = excluded.usage, duration_ms = excluded.duration_ms`,
          params: [
            runId,
            step,
            model,
            JSON.stringify(message),
            JSON.stringify(usage),
            startedAt,
            Math.round(durationMs),
          ],
        },
        {
          sql: 'UPDATE runs SET steps = ?, model = ?, usage = ? WHERE id = ?',
          params: [step, model, JSON.stringify(total), runId],
        },
      );
    },

    callStarted: (step, call, repeat) =>
      write({
        sql: `INSERT INTO run_calls (run_id, step, call_id, position, repeatable, result)
          VALUES (?, ?, ?, (SELECT COUNT(*) FROM run_calls WHERE run_id = ?), ?, NULL)
          ON CONFLICT (run_id, step, call_id) DO NOTHING`,
        params: [runId, step, call.id, runId, REPEAT[repeat]],
      }),

    callEnded: (step, result) =>
      write({
        sql: `INSERT INTO run_calls (run_id, step, call_id, position, repeatable, result)
          VALUES (?, ?, ?, (SELECT COUNT(*) FROM run_calls WHERE run_id = ?), 1, ?)
          ON CONFLICT (run_id, step, call_id) DO UPDATE SET result = excluded.result`,
        params: [runId, step, result.id, runId, JSON.stringify(result)],
      }),

    shortened: (step, history) =>
      write({
        sql: `INSERT INTO run_histories (run_id, step, messages) VALUES (?, ?, ?)
          ON CONFLICT (run_id, step) DO UPDATE SET messages = excluded.messages`,
        params: [runId, step, JSON.stringify(history)],
      }),
  };
}

/** Adds a message of the user to a step, which it may be the first of. */
export async function addJoined(
  tx: Transaction,
  { runId, step, message, at }: { runId: string; step: number; message: ModelMessage; at: string },
): Promise<void> {
  const row = await tx.one('SELECT joined FROM run_steps WHERE run_id = ? AND step = ?', [runId, step]);
  if (!row) {
    await tx.run(
      'INSERT INTO run_steps (run_id, step, model, joined, answer, usage, started_at, duration_ms) VALUES (?, ?, ?, ?, NULL, ?, ?, 0)',
      [runId, step, '', JSON.stringify([message]), JSON.stringify(NO_USAGE), at],
    );
    return;
  }
  const joined = readStored(ModelMessage.array(), row.joined);
  await tx.run('UPDATE run_steps SET joined = ? WHERE run_id = ? AND step = ?', [
    JSON.stringify([...joined, message]),
    runId,
    step,
  ]);
}
