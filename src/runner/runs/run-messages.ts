import * as z from 'zod';
import { FilePart, type ModelMessage, TextPart, type UserPart } from '../../contract/run.ts';
import type { Database, SqlValue, Transaction } from '../../platform/store/database.ts';
import { readStored } from '../../platform/store/stored-json.ts';
import { addJoined } from './run-journal.ts';

const Parts = z.array(z.discriminatedUnion('type', [TextPart, FilePart]));

/** Messages that a person sends to a run under way, from whichever process. */
export interface RunMessages {
  /** False once the run is over. */
  add(runId: string, parts: readonly UserPart[]): Promise<boolean>;
  /** Messages that the model has not been given yet, oldest first. */
  waiting(runId: string): Promise<{ position: number; parts: UserPart[] }[]>;
  /**
   * Takes over what is left of a run that is over; each message is handed out once. Messages from before a
   * cancellation stay with the run: the next turn sees them, and does not answer them by itself.
   */
  takeLeft(runId: string): Promise<UserPart[]>;
  /** Leaves messages with a run that is over, because no turn could be started with them; the next one sees them. */
  leave(runId: string, parts: readonly UserPart[]): Promise<void>;
}

/** Remembers with a cancellation how many messages came before it. */
export const CANCEL_REQUESTED =
  'cancel_requested = 1 + (SELECT COUNT(*) FROM run_messages WHERE run_id = runs.id)';

/** The position of the first message after the cancellation, if there was one. */
const firstAfterCancel = (requested: SqlValue | undefined): number => Math.max(0, Number(requested ?? 0) - 1);

export function createRunMessages(db: Database, now: () => Date): RunMessages {
  /** After the last step of the run. */
  const append = (tx: Transaction, runId: string, steps: number, parts: readonly UserPart[]) => {
    const message: ModelMessage = { role: 'user', parts: [...parts] };
    return addJoined(tx, { runId, step: steps + 1, message, at: now().toISOString() });
  };
  /** Usually empty, and read before every step.and after the last. */
  const areSome = async (runId: string): Promise<boolean> =>
    Boolean(await db.one('SELECT 1 FROM run_messages WHERE run_id = ? AND step IS NULL LIMIT 1', [runId]));
  return {
    add: (runId, parts) =>
      db.transaction(async (tx) => {
        const open = await tx.one(
          "SELECT id FROM runs WHERE id = ? AND state IN ('queued', 'running', 'waiting')",
          [runId],
        );
        if (!open) return false;
        await tx.run(
          `INSERT INTO run_messages (run_id, position, parts, at)
           VALUES (?, (SELECT COUNT(*) FROM run_messages WHERE run_id = ?), ?, ?)`,
          [runId, runId, JSON.stringify(parts), now().toISOString()],
        );
        return true;
      }),
    async waiting(runId) {
      if (!(await areSome(runId))) return [];
      const rows = await db.all(
        'SELECT position, parts FROM run_messages WHERE run_id = ? AND step IS NULL ORDER BY position',
        [runId],
      );
      return rows.map((row) => ({ position: Number(row.position), parts: readStored(Parts, row.parts) }));
    },
    async takeLeft(runId) {
      if (!(await areSome(runId))) return [];
      return db.transaction(async (tx) => {
        const rows = await tx.all(
          'SELECT position, parts FROM run_messages WHERE run_id = ? AND step IS NULL ORDER BY position',
          [runId],
        );
        const run = await tx.one('SELECT steps, cancel_requested FROM runs WHERE id = ?', [runId]);
        const first = firstAfterCancel(run?.cancel_requested);
        const kept = rows.filter(({ position }) => Number(position) < first);
        for (const { parts } of kept)
          await append(tx, runId, Number(run?.steps ?? 0), readStored(Parts, parts));
        await tx.run('UPDATE run_messages SET step = 0 WHERE run_id = ? AND step IS NULL', [runId]);
        return rows
          .filter(({ position }) => Number(position) >= first)
          .flatMap(({ parts }) => readStored(Parts, parts));
      });
    },
    leave: (runId, parts) =>
      db.transaction(async (tx) => {
        const run = await tx.one('SELECT steps FROM runs WHERE id = ?', [runId]);
        if (run) await append(tx, runId, Number(run.steps), parts);
      }),
  };
}
