import type { CallContext } from '../../contract/call.ts';
import type { ClientSighting } from '../../contract/operations/clients.ts';
import type { Database } from '../../platform/store/database.ts';
import { recordEvent } from '../../platform/store/events.ts';

/** A client that calls often is recorded once per interval. */
const FRESH_MS = 60_000;
const KEPT = 500;
const LONGEST_NAME = 100;

export interface ClientSightings {
  /** Records that a client has called. Returns immediately; a failure is logged. */
  note(name: string, context: Pick<CallContext, 'agent' | 'workspace'>): void;
  /** Newest first. */
  list(): Promise<ClientSighting[]>;
  /** Waits for pending writes. */
  close(): Promise<void>;
}

export function createClientSightings(
  db: Database,
  now: () => Date,
  log: (message: string, error: unknown) => void,
): ClientSightings {
  const notedAt = new Map<string, number>();
  const writing = new Set<Promise<void>>();

  async function write(name: string, agentId: string, workspace: string, at: Date): Promise<void> {
    const time = at.toISOString();
    await db.transaction(async (tx) => {
      await tx.run(
        `INSERT INTO client_sightings (name, agent_id, workspace, first_at, last_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (name, agent_id, workspace) DO UPDATE SET last_at = excluded.last_at`,
        [name, agentId, workspace, time, time],
      );
      await tx.run(
        'DELETE FROM client_sightings WHERE rowid NOT IN (SELECT rowid FROM client_sightings ORDER BY last_at DESC LIMIT ?)',
        [KEPT],
      );
      await recordEvent(
        tx,
        { type: 'client-seen', workspace, agentId: agentId || null, data: { name } },
        time,
      );
    });
  }

  return {
    note(given, { agent, workspace }) {
      const name = given.slice(0, LONGEST_NAME);
      const at = now();
      const key = JSON.stringify([name, agent, workspace]);
      if (at.getTime() - (notedAt.get(key) ?? 0) < FRESH_MS) return;
      if (notedAt.size > KEPT) notedAt.clear();
      notedAt.set(key, at.getTime());
      const work = write(name, agent ?? '', workspace, at)
        .catch((error: unknown) => log('a client could not be recorded', error))
        .finally(() => writing.delete(work));
      writing.add(work);
    },

    async list() {
      const rows = await db.all('SELECT * FROM client_sightings ORDER BY last_at DESC');
      return rows.map((row) => ({
        name: String(row.name),
        agentId: row.agent_id === '' ? null : String(row.agent_id),
        workspace: String(row.workspace),
        firstAt: String(row.first_at),
        lastAt: String(row.last_at),
      }));
    },

    async close() {
      await Promise.all(writing);
    },
  };
}
