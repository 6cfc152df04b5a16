import { AgentSummary } from '../contract/agent.ts';
import type { Database, Row } from '../platform/store/database.ts';
import { eventBounds } from '../platform/store/events.ts';
import { readStored } from '../platform/store/stored-json.ts';

/** Above this many changes, reloading the list is cheaper. */
const MOST_CHANGES = 200;

/**
 * Summaries of the editor's agents, sorted by id. Events name the changed agents, so a write reloads one row and
 * not the whole list. Unchanged agents keep their object, and an unchanged list its array.
 */
export function createAgentIndex(db: Database): () => Promise<readonly AgentSummary[]> {
  let list: readonly AgentSummary[] = [];
  /** The database version and the last event that the list reflects. */
  let version = Number.NaN;
  let seq = -1;
  let updating: Promise<void> | undefined;

  async function loadAll(): Promise<void> {
    const { last } = await eventBounds(db);
    const rows = await db.all('SELECT id, summary FROM agents WHERE deleted_at IS NULL ORDER BY id');
    list = rows.map(toSummary);
    seq = last;
  }

  /** The ids that changed since, or null if the whole list must be reloaded. */
  async function changedIds(): Promise<Set<string> | null> {
    const { first, last } = await eventBounds(db);
    if (seq < 0 || seq < first - 1) return null;
    const ids = new Set<string>();
    for (let count = 0; count < MOST_CHANGES; count += 1) {
      // Most events belong to runs, several per run.
      const row = await db.one(
        `SELECT seq, type, agent_id FROM events
         WHERE seq > ? AND (type LIKE 'agent-%' OR type = 'store-restored') ORDER BY seq LIMIT 1`,
        [seq],
      );
      seq = row ? Number(row.seq) : Math.max(seq, last);
      if (!row) return ids;
      if (row.type === 'store-restored') return null;
      if (typeof row.agent_id === 'string') ids.add(row.agent_id);
    }
    return null;
  }

  async function update(): Promise<void> {
    const at = db.version();
    if (at === version) return;
    const ids = await changedIds();
    if (ids === null) await loadAll();
    else {
      for (const id of ids) {
        const row = await db.one('SELECT id, summary FROM agents WHERE id = ? AND deleted_at IS NULL', [id]);
        list = withSummary(list, id, row ? toSummary(row) : null);
      }
    }
    version = at;
  }

  return async () => {
    if (db.version() === version) return list;
    // A commit during another caller's update may be newer than that update.
    await updating?.catch(() => undefined);
    updating = update().finally(() => {
      updating = undefined;
    });
    await updating;
    return list;
  };
}

const toSummary = (row: Row): AgentSummary => readStored(AgentSummary, row.summary);

function withSummary(
  list: readonly AgentSummary[],
  id: string,
  summary: AgentSummary | null,
): readonly AgentSummary[] {
  const at = position(list, id);
  const known = list[at]?.id === id;
  if (!known && summary === null) return list;
  return list.toSpliced(at, known ? 1 : 0, ...(summary ? [summary] : []));
}

/** The position of an id, or where to insert it. */
function position(list: readonly AgentSummary[], id: string): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = list[middle];
    if (found && found.id < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
