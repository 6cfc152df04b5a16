import { EventType, ZooEvent } from '../../contract/event.ts';
import type { Reader, Row, Statement, Transaction } from './database.ts';
import { readStored } from './stored-json.ts';

/** How many events are kept; resuming before the oldest one yields `events-lost`. */
const KEPT_EVENTS = 10_000;

export interface NewEvent {
  type: EventType;
  workspace: string | null;
  agentId: string | null;
  data?: Record<string, unknown>;
}

/** Part of the transaction of the change, so that event and change are committed together. */
export async function recordEvent(tx: Transaction, event: NewEvent, at: string): Promise<void> {
  const { sql, params } = eventStatement(event, at);
  await tx.run(sql, params);
}

/** As `recordEvent`. */
export const eventStatement = (event: NewEvent, at: string): Statement => ({
  sql: 'INSERT INTO events (type, at, workspace, agent_id, data) VALUES (?, ?, ?, ?, ?)',
  params: [event.type, at, event.workspace, event.agentId, JSON.stringify(event.data ?? {})],
});

export async function forgetOldEvents(tx: Transaction): Promise<void> {
  await tx.run('DELETE FROM events WHERE seq <= (SELECT MAX(seq) FROM events) - ?', [KEPT_EVENTS]);
}

/** The number of the last event, and of the oldest that is kept. */
export async function eventBounds(db: Reader): Promise<{ first: number; last: number }> {
  // Apart: SQLite reads the whole table for both in one query.
  const row = await db.one(
    'SELECT (SELECT MIN(seq) FROM events) AS first, (SELECT MAX(seq) FROM events) AS last',
  );
  return { first: Number(row?.first ?? 0), last: Number(row?.last ?? 0) };
}

export async function eventsAfter(db: Reader, seq: number, limit: number): Promise<ZooEvent[]> {
  const rows = await db.all('SELECT * FROM events WHERE seq > ? ORDER BY seq LIMIT ?', [seq, limit]);
  return rows.map(toEvent);
}

function toEvent(row: Row): ZooEvent {
  return {
    seq: Number(row.seq),
    type: EventType.parse(row.type),
    at: String(row.at),
    workspace: row.workspace === null ? null : String(row.workspace),
    agentId: row.agent_id === null ? null : String(row.agent_id),
    data: readStored(ZooEvent.shape.data, row.data),
  };
}
