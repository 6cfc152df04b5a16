import { randomUUID } from 'node:crypto';
import {
  BrainEntry,
  type BrainEntryInput,
  type BrainEntryPatch,
  type BrainFilter,
} from '../contract/brain.ts';
import type { CallContext } from '../contract/call.ts';
import { ZooError } from '../contract/errors.ts';
import type { Database, Row, SqlValue, Transaction } from '../platform/store/database.ts';
import { type NewEvent, recordEvent } from '../platform/store/events.ts';
import { once } from '../platform/store/once.ts';
import { readStored } from '../platform/store/stored-json.ts';

/** The owner of a memory: agents with the same id in two workspaces have separate memories. */
export interface BrainOwner {
  agentId: string;
  /** Null for agents that every workspace shares. */
  owner: string | null;
}

/** Brain entries: what an agent remembers from one conversation to the next. */
export interface Memory {
  query(of: BrainOwner, filter: BrainFilter): Promise<{ entries: BrainEntry[]; total: number }>;
  pinned(of: BrainOwner): Promise<BrainEntry[]>;
  get(of: BrainOwner, id: string): Promise<BrainEntry>;
  create(of: BrainOwner, input: BrainEntryInput, context: CallContext): Promise<BrainEntry>;
  patch(of: BrainOwner, id: string, patch: BrainEntryPatch, context: CallContext): Promise<BrainEntry>;
  /** A deleted entry can be restored for 30 days. */
  remove(of: BrainOwner, id: string, context: CallContext): Promise<null>;
  /** Restores a deleted entry under its id. */
  undelete(of: BrainOwner, id: string, context: CallContext): Promise<BrainEntry>;
}

const COLUMNS = 'id, owner, agent_id, type, content, at, pinned, tags, source, session_id, workspace_id';
const DELETED_KEPT_MS = 30 * 24 * 60 * 60 * 1000;

export function createMemory(db: Database, now: () => Date): Memory {
  const event = (of: BrainOwner, type: NewEvent['type'], entryId: string): NewEvent => ({
    type,
    workspace: of.owner,
    agentId: of.agentId,
    data: { entryId },
  });

  const write = <T>(context: CallContext, work: (tx: Transaction) => Promise<T>): Promise<T> =>
    db.transaction((tx) => once(tx, context, now().toISOString(), () => work(tx)));

  return {
    async query(of, filter) {
      const { where, params } = conditions(of, filter);
      const [rows, total] = await Promise.all([
        db.all(`SELECT * FROM brain_entries WHERE ${where} ORDER BY at DESC, id DESC LIMIT ?`, [
          ...params,
          filter.limit ?? 100,
        ]),
        db.all(`SELECT COUNT(*) AS n FROM brain_entries WHERE ${where}`, params),
      ]);
      return { entries: rows.map(toEntry), total: Number(total[0]?.n ?? 0) };
    },

    async pinned(of) {
      const whose = [of.owner ?? '', of.agentId];
      const which = 'FROM brain_entries WHERE owner = ? AND agent_id = ? AND pinned = 1';
      // Checked by every resolve, and most agents have none.
      if (!(await db.one(`SELECT id ${which} LIMIT 1`, whose))) return [];
      const rows = await db.all(`SELECT * ${which} ORDER BY at, id`, whose);
      return rows.map(toEntry);
    },

    get: (of, id) => find(db, of, id),

    create: (of, input, context) =>
      write(context, async (tx) => {
        const entry: BrainEntry = {
          id: randomUUID(),
          agentId: of.agentId,
          type: input.type,
          content: input.content,
          timestamp: now().toISOString(),
          pinned: input.pinned ?? false,
          tags: unique(input.tags ?? []),
          metadata: {
            source: context.surface,
            sessionId: input.metadata?.sessionId ?? null,
            workspaceId: context.workspace,
          },
        };
        await insert(tx, of, entry);
        await recordEvent(tx, event(of, 'brain-created', entry.id), entry.timestamp);
        return entry;
      }),

    patch: (of, id, patch, context) =>
      write(context, async (tx) => {
        const before = await find(tx, of, id);
        const next: BrainEntry = {
          ...before,
          type: patch.type ?? before.type,
          content: patch.content ?? before.content,
          pinned: patch.pinned ?? before.pinned,
          tags: patch.tags ? unique(patch.tags) : before.tags,
        };
        await tx.run('UPDATE brain_entries SET type = ?, content = ?, pinned = ?, tags = ? WHERE id = ?', [
          next.type,
          next.content,
          next.pinned ? 1 : 0,
          JSON.stringify(next.tags),
          id,
        ]);
        await recordEvent(tx, event(of, 'brain-changed', id), now().toISOString());
        return next;
      }),

    remove: (of, id, context) =>
      write(context, async (tx) => {
        await find(tx, of, id);
        const at = now();
        await moveToDeleted(tx, id, at);
        await recordEvent(tx, event(of, 'brain-deleted', id), at.toISOString());
        return null;
      }),

    undelete: (of, id, context) =>
      write(context, async (tx) => {
        const entry = await moveBack(tx, of, id);
        await recordEvent(tx, event(of, 'brain-created', id), now().toISOString());
        return entry;
      }),
  };
}

async function find(reader: Pick<Transaction, 'one'>, of: BrainOwner, id: string): Promise<BrainEntry> {
  const row = await reader.one('SELECT * FROM brain_entries WHERE id = ? AND owner = ? AND agent_id = ?', [
    id,
    of.owner ?? '',
    of.agentId,
  ]);
  if (!row) {
    throw new ZooError('brain_entry_not_found', `Agent '${of.agentId}' has no brain entry '${id}'.`);
  }
  return toEntry(row);
}

async function moveToDeleted(tx: Transaction, id: string, at: Date): Promise<void> {
  await tx.run(
    `INSERT INTO deleted_brain_entries (${COLUMNS}, deleted_at) SELECT ${COLUMNS}, ? FROM brain_entries WHERE id = ?`,
    [at.toISOString(), id],
  );
  await tx.run('DELETE FROM brain_entries WHERE id = ?', [id]);
  const oldest = new Date(at.getTime() - DELETED_KEPT_MS).toISOString();
  await tx.run('DELETE FROM deleted_brain_entries WHERE deleted_at < ?', [oldest]);
}

async function moveBack(tx: Transaction, of: BrainOwner, id: string): Promise<BrainEntry> {
  await tx.run(
    `INSERT INTO brain_entries (${COLUMNS}) SELECT ${COLUMNS} FROM deleted_brain_entries WHERE id = ? AND owner = ? AND agent_id = ?`,
    [id, of.owner ?? '', of.agentId],
  );
  const entry = await find(tx, of, id);
  await tx.run('DELETE FROM deleted_brain_entries WHERE id = ?', [id]);
  return entry;
}

async function insert(tx: Transaction, of: BrainOwner, entry: BrainEntry): Promise<void> {
  await tx.run(`INSERT INTO brain_entries (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, [
    entry.id,
    of.owner ?? '',
    of.agentId,
    entry.type,
    entry.content,
    entry.timestamp,
    entry.pinned ? 1 : 0,
    JSON.stringify(entry.tags),
    entry.metadata.source,
    entry.metadata.sessionId,
    entry.metadata.workspaceId,
  ]);
}

function conditions(of: BrainOwner, filter: BrainFilter): { where: string; params: SqlValue[] } {
  const terms = ['owner = ?', 'agent_id = ?'];
  const params: SqlValue[] = [of.owner ?? '', of.agentId];
  const add = (term: string, ...values: SqlValue[]) => {
    terms.push(term);
    params.push(...values);
  };
  if (filter.type) add('type = ?', filter.type);
  if (filter.pinned !== undefined) add('pinned = ?', filter.pinned ? 1 : 0);
  if (filter.dateFrom) add('at >= ?', startOfDay(filter.dateFrom, 0));
  if (filter.dateTo) add('at < ?', startOfDay(filter.dateTo, 1));
  if (filter.q) add("LOWER(content) LIKE ? ESCAPE '\\'", `%${likeLiteral(filter.q.toLowerCase())}%`);
  if (filter.tags && filter.tags.length > 0) {
    // Tags are stored as a JSON list, where each is a quoted string.
    const tagged = filter.tags.map(() => "tags LIKE ? ESCAPE '\\'").join(' OR ');
    add(`(${tagged})`, ...filter.tags.map((tag) => `%${likeLiteral(JSON.stringify(tag))}%`));
  }
  return { where: terms.join(' AND '), params };
}

/** Midnight of a day, or of `later` days after it, in the hub's time zone. */
function startOfDay(day: string, later: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}

function likeLiteral(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

function unique(tags: readonly string[]): string[] {
  return [...new Set(tags)];
}

function toEntry(row: Row): BrainEntry {
  return BrainEntry.parse({
    id: row.id,
    agentId: row.agent_id,
    type: row.type,
    content: row.content,
    timestamp: row.at,
    pinned: row.pinned === 1,
    tags: readStored(BrainEntry.shape.tags, row.tags),
    metadata: { source: row.source, sessionId: row.session_id, workspaceId: row.workspace_id },
  });
}
