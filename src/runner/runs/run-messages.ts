import * as z from 'zod';
import { FilePart, TextPart, type UserPart } from '../../contract/run.ts';
import type { Database } from '../../platform/store/database.ts';
import { readStored } from '../../platform/store/stored-json.ts';

const Parts = z.array(z.discriminatedUnion('type', [TextPart, FilePart]));

/** Messages that a person sends to a run under way, from whichever process. */
export interface RunMessages {
  /** False once the run is over. */
  add(runId: string, parts: readonly UserPart[]): Promise<boolean>;
  /** Messages that the model has not been given yet, oldest first. */
  waiting(runId: string): Promise<{ position: number; parts: UserPart[] }[]>;
  /** Takes over what is left of a run that is over; each message is handed out once. */
  takeLeft(runId: string): Promise<UserPart[]>;
}

export function createRunMessages(db: Database, now: () => Date): RunMessages {
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
      const rows = await db.all(
        'SELECT position, parts FROM run_messages WHERE run_id = ? AND step IS NULL ORDER BY position',
        [runId],
      );
      return rows.map((row) => ({ position: Number(row.position), parts: readStored(Parts, row.parts) }));
    },
    takeLeft: (runId) =>
      db.transaction(async (tx) => {
        const rows = await tx.all(
          'SELECT parts FROM run_messages WHERE run_id = ? AND step IS NULL ORDER BY position',
          [runId],
        );
        await tx.run('UPDATE run_messages SET step = 0 WHERE run_id = ? AND step IS NULL', [runId]);
        return rows.flatMap((row) => readStored(Parts, row.parts));
      }),
  };
}
